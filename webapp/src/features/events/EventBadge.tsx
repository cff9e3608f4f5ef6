import type { EventState } from '@/api/events';
import classes from './EventBadge.module.css';

/** How the players' list calls the states (events and gameplay, section 2: events list); others by their raw name. */
const BADGES: Partial<Record<EventState, string>> = { published: 'Register', started: 'Live', cancelled: 'Cancelled' };

export function EventBadge({ state }: { state: EventState }) {
  return (
    <span className={classes.badge} data-state={state}>
      {BADGES[state] ?? state}
    </span>
  );
}
