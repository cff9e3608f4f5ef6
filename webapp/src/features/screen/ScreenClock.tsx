import { minutesLeft, roughly, useNow } from '@/shared/events/countdown';
import classes from './ScreenHead.module.css';

interface ScreenClockProps {
  /** `Starts in`. */
  label: string;
  /** ISO 8601. */
  until: string;
  /** Shown once the time has passed. */
  over: string;
}

/** From here on the time is counted in hours and days. */
const MINUTES_MS = 60 * 60_000;

/** A countdown that is read from the back of a hall. */
export function ScreenClock({ label, until, over }: ScreenClockProps) {
  const left = Date.parse(until) - useNow();
  if (left <= 0) return <ScreenFact label="" value={over} />;
  const time = left < MINUTES_MS ? minutesLeft(left) : roughly(left);
  return (
    <p className={classes.clock} role="timer" aria-label={`${label} ${time}`}>
      <span>{label}</span>
      <b>{time}</b>
    </p>
  );
}

/** In place of a countdown: how far the event is. */
export function ScreenFact({ label, value }: { label: string; value: string }) {
  return (
    <p className={classes.clock}>
      {label !== '' && <span>{label}</span>}
      <b>{value}</b>
    </p>
  );
}
