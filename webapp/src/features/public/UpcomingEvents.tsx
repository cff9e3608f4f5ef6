import { Link } from 'react-router';
import { type Event, eventsApi } from '@/api/events';
import { EmptyDrawing } from '@/shared/illustrations';
import { failureText } from '@/shared/account/failure';
import buttons from '@/shared/ui/buttons.module.css';
import { LoadFailure } from '@/shared/ui/LoadFailure';
import classes from './UpcomingEvents.module.css';

/** The page of all events shows more. */
const SHOWN = 6;

const DATE_TIME = { dateStyle: 'full', timeStyle: 'short' } as const;

/** Public events that are upcoming or live. */
export function UpcomingEvents() {
  const { data, error, isLoading, isFetching, refetch } = eventsApi.useListEventsQuery({
    filter: { eventState: ['started', 'published'] },
    limit: SHOWN,
  });
  if (isLoading) {
    return (
      <p className={classes.words} aria-busy="true">
        Looking for events…
      </p>
    );
  }
  if (data === undefined) {
    return (
      <div className={classes.words}>
        <LoadFailure
          text={failureText(error, 'The list of events could not be loaded.')}
          onRetry={() => void refetch()}
          isBusy={isFetching}
        />
      </div>
    );
  }
  if (data.events.length === 0) {
    return (
      <div className={classes.words}>
        <EmptyDrawing className={classes.drawing} />
        <p>No tournament is announced right now. Sign up, practise, and be ready for the next one.</p>
        <Link to="/register" className={buttons.primary}>
          Sign Up
        </Link>
      </div>
    );
  }
  return (
    <>
      <ul className={classes.events}>
        {data.events.map((event) => (
          <li key={event.eventId}>
            <EventCard event={event} />
          </li>
        ))}
      </ul>
      {data.pagination.hasNextPage && (
        <p className={classes.more}>
          <Link to="/app/events">All events</Link>
        </p>
      )}
    </>
  );
}

function EventCard({
  event: { eventId, title, startTime, eventState, eventType, prize, signupCount },
}: {
  event: Event;
}) {
  const isLive = eventState === 'started';
  const starts = startTime ? new Date(startTime).toLocaleString('en', DATE_TIME) : 'Soon';
  return (
    <Link to={`/app/events/view/${eventId}`} className={classes.event} data-live={isLive}>
      <p className={classes.state}>{isLive ? 'Live now' : starts}</p>
      <h3>{title}</h3>
      {prize && <p className={classes.prize}>Prize: {prize}</p>}
      <p className={classes.facts}>
        {signupCount === 1 ? '1 player' : `${signupCount} players`} signed up
        {eventType === 'closed' && ' · sign-up needed'}
      </p>
    </Link>
  );
}
