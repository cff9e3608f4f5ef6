import { OVERDUE_MS, timeLeft, useNow } from '@/shared/events/countdown';
import classes from './Countdown.module.css';

interface CountdownProps {
  until: string;
  /** `Starts in`. */
  label: string;
  /** The text once the time has passed. */
  over: string;
  /** The text once it is long past. */
  overdue: string;
}

/** A countdown to the start or the end of an event. */
export function Countdown({ until, label, over, overdue }: CountdownProps) {
  const now = useNow();
  const ms = Date.parse(until) - now;
  if (ms <= 0) return <p className={classes.over}>{ms <= -OVERDUE_MS ? overdue : over}</p>;
  const left = timeLeft(ms);
  const words = Object.entries(left).map(([name, value]) => `${value} ${name}`);
  return (
    <div>
      <p className={classes.label}>{label}</p>
      <div className={classes.parts} role="timer" aria-label={`${label} ${words.join(', ')}`}>
        {Object.entries(left).map(([name, value]) => (
          <span key={name} className={classes.part}>
            <b>{String(value).padStart(2, '0')}</b>
            <small>{name}</small>
          </span>
        ))}
      </div>
    </div>
  );
}
