import { Button, Tabs } from '@mantine/core';
import { useSelector } from 'react-redux';
import { Link, useParams } from 'react-router';
import { errorText, isApiError } from '@/api/base';
import { type Event, eventsApi } from '@/api/events';
import { useNow } from '@/shared/events/countdown';
import { EventBadge } from '@/shared/events/EventBadge';
import { Leaderboard } from '@/shared/events/Leaderboard';
import { LostDrawing } from '@/shared/illustrations';
import { selectUser } from '@/shared/session/sessionSlice';
import buttons from '@/shared/ui/buttons.module.css';
import { PageHeading } from '@/shared/ui/PageHeading';
import { EventInfo } from './EventInfo';
import classes from './EventPage.module.css';
import { useEventUpdates } from './useEventUpdates';

const { endpoints } = eventsApi;

/** For visitors, who have no realtime channel, in milliseconds. */
const POLL_MS = 20_000;
/** Where something is due any moment: the start that the countdown promised, the winners after the last games. */
const IMPATIENT_POLL_MS = 2_000;
/** The last games of an ended event are decided within a minute. */
const RESULTS_WITHIN_MS = 90_000;

const BACK = { to: '/app/events', label: 'Back to events' };

/** An event as players see it (events and gameplay, section 2: player event page). */
export default function EventPage() {
  const { eventId = '' } = useParams();
  const isVisitor = useSelector(selectUser) === null;
  const { data: event, error, isLoading, isUninitialized } = endpoints.event.useQueryState(eventId);
  const isDue = useIsDue(event);
  const { refetch } = endpoints.event.useQuerySubscription(eventId, {
    refetchOnMountOrArgChange: true,
    refetchOnReconnect: true,
    skipPollingIfUnfocused: true,
    pollingInterval: isDue ? IMPATIENT_POLL_MS : isVisitor ? POLL_MS : 0,
  });
  useEventUpdates(eventId);

  if (isLoading || isUninitialized) return <p role="status">Loading event...</p>;
  if (event === undefined) return <NoEvent error={error} onRetry={() => void refetch()} />;
  const isRanked = event.eventState === 'started' || event.eventState === 'ended';
  return (
    <article className={classes.page}>
      <PageHeading title={event.title} back={BACK} />
      <div className={classes.state}>
        <EventBadge state={event.eventState} />
      </div>
      <Tabs key={eventId} defaultValue="info" keepMounted={false}>
        <Tabs.List className={classes.tabs ?? ''}>
          <Tabs.Tab value="info">Event Info</Tabs.Tab>
          {isRanked && <Tabs.Tab value="leaderboard">Leaderboard</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="info">
          <EventInfo event={event} />
        </Tabs.Panel>
        {isRanked && (
          <Tabs.Panel value="leaderboard">
            <Leaderboard event={event} />
          </Tabs.Panel>
        )}
      </Tabs>
    </article>
  );
}

/** Whether the next state or result should be there any moment. */
function useIsDue(event: Event | undefined): boolean {
  const now = useNow();
  if (event === undefined) return false;
  const { eventState, startTime, winners, updatedAt } = event;
  if (eventState === 'published') return startTime !== undefined && Date.parse(startTime) <= now;
  return eventState === 'ended' && winners.length === 0 && now - Date.parse(updatedAt) < RESULTS_WITHIN_MS;
}

function NoEvent({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const isGone = isApiError(error) && error.status === 404;
  return (
    <div className={classes.missing}>
      <LostDrawing />
      <p role="alert">{isGone ? 'Event not found.' : errorText(error, 'Failed to load event')}</p>
      {isGone ? (
        <Link to={BACK.to} className={buttons.primary}>
          {BACK.label}
        </Link>
      ) : (
        <Button onClick={onRetry}>Try again</Button>
      )}
    </div>
  );
}
