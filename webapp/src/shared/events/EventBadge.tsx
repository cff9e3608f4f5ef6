import type { EventState } from '@/api/events';
import classes from './EventBadge.module.css';
import { EVENT_STATE_LABELS } from './eventState';

interface EventBadgeProps {
  state: EventState;
  /** In place of the state's own name. */
  children?: string;
}

/** An event's state in a word. */
export function EventBadge({ state, children = EVENT_STATE_LABELS[state] }: EventBadgeProps) {
  return (
    <span className={classes.badge} data-state={state}>
      {children}
    </span>
  );
}
