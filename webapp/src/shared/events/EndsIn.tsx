import { minutesLeft, OVERDUE_MS, roughly, useNow } from './countdown';
import classes from './EndsIn.module.css';

/** Below this the seconds are shown as well. */
const EXACT_MS = 10 * 60_000;

/** The remaining time of a live event, updated each second. */
export function EndsIn({ at }: { at: string }) {
  const left = Date.parse(at) - useNow();
  return (
    <p className={classes.ends} data-soon={left < EXACT_MS}>
      {text(left)}
    </p>
  );
}

function text(left: number): string {
  if (left <= -OVERDUE_MS) return 'The planned end has passed.';
  if (left <= 0) return 'Ending…';
  return `Ends in ${left < EXACT_MS ? minutesLeft(left) : roughly(left)}`;
}
