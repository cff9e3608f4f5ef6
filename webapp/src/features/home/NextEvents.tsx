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
/** Events further ahead are shown by date. */
const COUNTED_MS = 24 * 3_600_000;

/** Live events, then the next ones. */
export function NextEvents() {
  const answer = useListEventsQuery(
    { filter: { eventState: ['published', 'started'] }, limit: 20 },
    { refetchOnMountOrArgChange: true, refetchOnReconnect: true },
  );
  useEventListUpdates();
  const now = useNow();
  const isLive = ({ eventState }: Event) => (eventState === 'started' ? 0 : 1);
  const starts = ({ startTime }: Event) => Date.parse(startTime ?? '') || Infinity;
  return (
    <Card title="Tournaments & Events">
      <Loaded
        of={answer}
        loading="Looking for events…"
        failure="The events could not be loaded."
        className={classes.none}
      >
        {({ events }) =>
          events.length > 0 ? (
            <ul className={classes.events}>
              {events
                .toSorted((a, b) => isLive(a) - isLive(b) || starts(a) - starts(b))
                .slice(0, SHOWN)
                .map((event) => (
                  <li key={event.eventId}>
                    <Link to={`/app/events/view/${event.eventId}`}>{event.title}</Link>
                    <span data-state={event.eventState}>{when(event, now)}</span>
                  </li>
                ))}
            </ul>
          ) : (
            <p className={classes.none}>No event is planned yet.</p>
          )
        }
      </Loaded>
      <Link to="/app/events" className={buttons.button}>
        See all events
      </Link>
    </Card>
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
