import { useEffect } from 'react';
import { useSelector } from 'react-redux';
import { Link } from 'react-router';
import { PAGE_LIMIT, useListEventsQuery } from '@/api/events';
import { AccountNeeded } from '@/shared/events/AccountNeeded';
import { useEventListUpdates } from '@/shared/events/useEventUpdates';
import { EmptyDrawing } from '@/shared/illustrations';
import { log } from '@/shared/log';
import { selectUser } from '@/shared/session/sessionSlice';
import buttons from '@/shared/ui/buttons.module.css';
import { PageHeading } from '@/shared/ui/PageHeading';
import { EventCard } from './EventCard';
import classes from './EventsPage.module.css';

/** Visitors have no realtime channel; for them, and for what it misses, the list is asked for again this often. */
const POLL_MS = 30_000;

/** What one can register for and what goes on (events and gameplay, section 2). */
export default function EventsPage() {
  const { data, isLoading, error } = useListEventsQuery(
    { filter: { eventState: ['published', 'started'] }, limit: PAGE_LIMIT },
    {
      refetchOnMountOrArgChange: true,
      refetchOnReconnect: true,
      pollingInterval: POLL_MS,
      skipPollingIfUnfocused: true,
    },
  );
  useEventListUpdates();
  const isGuest = useSelector(selectUser)?.isTempUser ?? false;
  // A failure is only logged: nothing is shown (events and gameplay, section 2).
  useEffect(() => {
    if (error !== undefined) log.warn('Failed to load events', error);
  }, [error]);

  // What is live comes first; the server's order, by time, stands within.
  const events = [...(data?.events ?? [])].sort((a, b) => rank(a.eventState) - rank(b.eventState));
  return (
    <>
      <PageHeading title="Events">Join exciting Tic-Tac-Toe tournaments and competitions</PageHeading>
      {isGuest && (
        <div className={classes.guest}>
          <AccountNeeded />
        </div>
      )}
      {isLoading && <p role="status">Loading events...</p>}
      {events.length > 0 && (
        <ul className={classes.grid}>
          {events.map((event) => (
            // A card turns when its event goes live.
            <li key={`${event.eventId} ${event.eventState}`} className={classes.item} data-state={event.eventState}>
              <EventCard event={event} />
            </li>
          ))}
        </ul>
      )}
      {data?.events.length === 0 && (
        <div className={classes.empty}>
          <EmptyDrawing className={classes.drawing} />
          <h2>No Events Available</h2>
          <p>Check back later for upcoming tournaments!</p>
          <Link to="/app/practice" className={buttons.primary}>
            Practice While You Wait
          </Link>
        </div>
      )}
    </>
  );
}

function rank(state: string): number {
  return state === 'started' ? 0 : 1;
}
