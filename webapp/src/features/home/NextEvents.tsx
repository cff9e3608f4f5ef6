import { Link } from 'react-router';
import { type Event, useListEventsQuery } from '@/api/events';
import { OVERDUE_MS, roughly, useNow } from '@/shared/events/countdown';
import { dateTime } from '@/shared/events/times';
import { useEventListUpdates } from '@/shared/events/useEventUpdates';
import buttons from '@/shared/ui/buttons.module.css';
import { Card } from '@/shared/ui/Card';
import { Loaded } from '@/shared/ui/Loaded';
import classes from './NextEvents.module.css';

/** The most that fit beside the other cards. */
const SHOWN = 3;
const TEXTS = {
  loading: 'Looking for events…',
  failure: 'The events could not be loaded.',
  className: classes.none,
};
/** Events further ahead are shown by date. */
const COUNTED_MS = 24 * 3_600_000;

/** One's own events, then the others; of each, live ones, then the next. */
export function NextEvents() {
  const answer = useListEventsQuery(
    { filter: { eventState: ['published', 'started'] }, limit: 20 },
    { refetchOnMountOrArgChange: true, refetchOnReconnect: true },
  );
  const own = useListEventsQuery(
    { filter: { signedUp: true }, limit: SHOWN },
    { refetchOnMountOrArgChange: true, refetchOnReconnect: true },
  );
  useEventListUpdates();
  return (
    <Card title="Tournaments & Events">
      <Loaded of={own} {...TEXTS}>
        {({ events: mine }) => (
          <Loaded of={answer} {...TEXTS}>
            {({ events }) => <Listed mine={mine} events={events} />}
          </Loaded>
        )}
      </Loaded>
      <Link to="/app/events" className={buttons.button}>
        See all events
      </Link>
    </Card>
  );
}

function Listed({ mine, events }: { mine: Event[]; events: Event[] }) {
  const now = useNow();
  const isLive = ({ eventState }: Event) => (eventState === 'started' ? 0 : 1);
  const starts = ({ startTime }: Event) => Date.parse(startTime ?? '') || Infinity;
  const others = events
    .filter(({ eventId }) => mine.every((own) => own.eventId !== eventId))
    .toSorted((a, b) => isLive(a) - isLive(b) || starts(a) - starts(b));
  const shown = [...mine, ...others].slice(0, SHOWN);
  if (shown.length === 0) return <p className={classes.none}>No event is planned yet.</p>;
  return (
    <ul className={classes.events}>
      {shown.map((event) => (
        <li key={event.eventId}>
          <Link to={`/app/events/view/${event.eventId}`}>{event.title}</Link>
          <span data-state={event.eventState}>
            {when(event, now)}
            {mine.includes(event) && ' · signed up'}
          </span>
        </li>
      ))}
    </ul>
  );
}

function when({ eventState, startTime }: Event, now: number): string {
  if (eventState === 'started') return 'Live now';
  if (startTime === undefined) return 'Soon';
  const left = Date.parse(startTime) - now;
  if (left <= -OVERDUE_MS) return 'Not started yet';
  if (left <= 0) return 'Starting…';
  return left < COUNTED_MS ? `Starts in ${roughly(left)}` : dateTime(startTime);
}
