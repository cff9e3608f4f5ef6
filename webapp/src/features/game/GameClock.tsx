import { useEffect, useState } from 'react';
import classes from './GameClock.module.css';
import { urgency } from './TimerRing';

/** Below this the tenths of a second are shown. */
const TENTHS_BELOW_MS = 10_000;
const TICK_MS = 100;

interface GameClockProps {
  /** What is left while the clock stands. */
  leftMs: number;
  /** When the time is up, by the local clock; null while it stands. */
  runsUntil: number | null;
}

/** A player's time for all further turns; the server's clock alone decides: docs/behaviour/play.md#time-controls. */
export function GameClock({ leftMs, runsUntil }: GameClockProps) {
  const isRunning = runsUntil !== null;
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [isRunning]);
  const left = Math.max(0, isRunning ? runsUntil - now : leftMs);
  const seconds = Math.ceil(left / 1_000);
  return (
    <span
      className={classes.clock}
      data-running={isRunning}
      data-urgency={urgency(seconds)}
      role="timer"
      aria-label={`${seconds} seconds left in the game`}
    >
      {clockText(left)}
    </span>
  );
}

/** `1:02`, and `9.4` in the last ten seconds. */
export function clockText(ms: number): string {
  if (ms < TENTHS_BELOW_MS) return (Math.floor(ms / 100) / 10).toFixed(1);
  const seconds = Math.ceil(ms / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
