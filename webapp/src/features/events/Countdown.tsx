import { timeLeft, useNow } from '@/shared/events/countdown';
import classes from './Countdown.module.css';

/** How long until the event starts; the page around it turns live by itself. */
export function Countdown({ until }: { until: string }) {
  const now = useNow();
  const left = timeLeft(Date.parse(until) - now);
  const isOver = Object.values(left).every((part) => part === 0);
  if (isOver) return <p className={classes.starting}>Starting…</p>;
  const words = Object.entries(left).map(([name, value]) => `${value} ${name}`);
  return (
    <div>
      <p className={classes.label}>Starts in</p>
      <div className={classes.parts} role="timer" aria-label={`Starts in ${words.join(', ')}`}>
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
