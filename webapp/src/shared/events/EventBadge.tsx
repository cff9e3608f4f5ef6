import type { EventState } from '@/api/events';
import classes from './EventBadge.module.css';
import { EVENT_STATE_LABELS } from './eventState';

interface EventBadgeProps {
  state: EventState;
  /** Replaces the name of the state. */
  children?: string;
}

/** Only who has the join code may enter. */
export function PrivateBadge() {
  return <span className={classes.badge}>Private</span>;
}

/** The state of an event as a badge. */
export function EventBadge({ state, children = EVENT_STATE_LABELS[state] }: EventBadgeProps) {
  return (
    <span className={classes.badge} data-state={state}>
      {children}
    </span>
  );
}
