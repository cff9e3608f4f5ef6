import { useEffect, useState } from 'react';
import classes from './TimerRing.module.css';

/** A turn in an event game; the server's clock alone decides (events and gameplay, section 9). */
export const TURN_SECONDS = 15;
export const WARNING_SECONDS = 10;
export const CRITICAL_SECONDS = 5;
/** Often enough for a second to change on time. */
const TICK_MS = 200;

export type Urgency = 'calm' | 'warning' | 'critical';

export function urgency(seconds: number): Urgency {
  if (seconds <= CRITICAL_SECONDS) return 'critical';
  return seconds <= WARNING_SECONDS ? 'warning' : 'calm';
}

/** Whole seconds until a moment, by our clock; 0 once it is past. */
export function useSecondsUntil(moment: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, Math.ceil((moment - now) / 1000));
}

/** The turn's time as a ring that a piece of goes each second. */
export function TimerRing({ deadline }: { deadline: number }) {
  const seconds = useSecondsUntil(deadline);
  const left = Math.min(1, seconds / TURN_SECONDS);
  return (
    <span className={classes.ring} data-urgency={urgency(seconds)} role="timer" aria-label={`${seconds} seconds left`}>
      <svg viewBox="0 0 40 40" aria-hidden="true">
        <circle className={classes.track} cx="20" cy="20" r="17" />
        <circle className={classes.left} cx="20" cy="20" r="17" pathLength="1" strokeDasharray={`${left} 1`} />
      </svg>
      <span className={classes.seconds}>{seconds}</span>
    </span>
  );
}
