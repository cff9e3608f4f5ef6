import type { EventState } from '@/api/events';
import { EVENT_STATE_LABELS } from '@/shared/events/eventState';
import classes from './EventBadge.module.css';

/** The state in a word. */
export function EventBadge({ state }: { state: EventState }) {
  return (
    <span className={classes.badge} data-state={state}>
      {EVENT_STATE_LABELS[state]}
    </span>
  );
}
