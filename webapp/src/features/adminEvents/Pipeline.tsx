import type { EventState } from '@/api/events';
import { EVENT_STATE_LABELS } from '@/shared/events/eventState';
import classes from './Pipeline.module.css';

const STEPS: EventState[] = ['drafted', 'published', 'started', 'ended'];

/** The steps of an event from draft to winners, with the current one. */
export function Pipeline({ state }: { state: EventState }) {
  const at = STEPS.indexOf(state);
  return (
    <ol className={classes.pipeline} aria-label="Status">
      {STEPS.map((step, index) => (
        <li
          key={step}
          className={classes.step}
          data-reached={index <= at || undefined}
          aria-current={step === state ? 'step' : undefined}
        >
          {EVENT_STATE_LABELS[step]}
        </li>
      ))}
      {state === 'cancelled' && (
        <li className={classes.step} data-cancelled aria-current="step">
          {EVENT_STATE_LABELS.cancelled}
        </li>
      )}
    </ol>
  );
}
