import { type ReactNode, useEffect, useState } from 'react';
import classes from './TimerRing.module.css';

/** A turn in an event game; the server's clock alone decides: docs/behaviour/play.md#turn-clock. */
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

/** Whole seconds until a time, by the local clock; 0 once it has passed. */
export function useSecondsUntil(moment: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, Math.ceil((moment - now) / 1000));
}

interface TimerRingProps {
  /** When the turn ends, by the local clock; null without a timer, when the ring stays full. */
  deadline: number | null;
  /** The content of the ring. */
  children: ReactNode;
}

/** A ring around the mark of the player to move; with a timer it shrinks each second, with the seconds beside it. */
export function TimerRing({ deadline, children }: TimerRingProps) {
  return deadline === null ? <Ring left={1}>{children}</Ring> : <Timed deadline={deadline}>{children}</Timed>;
}

function Timed({ deadline, children }: { deadline: number; children: ReactNode }) {
  const seconds = useSecondsUntil(deadline);
  return (
    <span className={classes.timed} data-urgency={urgency(seconds)}>
      <Ring left={Math.min(1, seconds / TURN_SECONDS)}>{children}</Ring>
      <span className={classes.seconds} role="timer" aria-label={`${seconds} seconds left`}>
        {seconds}
      </span>
    </span>
  );
}

function Ring({ left, children }: { left: number; children: ReactNode }) {
  return (
    <span className={classes.ring}>
      <svg viewBox="0 0 52 52" aria-hidden="true" focusable="false">
        <circle className={classes.track} cx="26" cy="26" r="24" />
        <circle className={classes.left} cx="26" cy="26" r="24" pathLength="1" strokeDasharray={`${left} 1`} />
      </svg>
      {children}
    </span>
  );
}
