import type { EventState } from '@/api/events';
import classes from './EventBadge.module.css';

/** A state, in the words of whoever shows it. */
export function EventBadge({ state, children }: { state: EventState; children: string }) {
  return (
    <span className={classes.badge} data-state={state}>
      {children}
    </span>
  );
}
