import type { Event, Player } from '@/api/events';
import { EndsIn } from '@/shared/events/EndsIn';
import { Card } from '@/shared/ui/Card';
import classes from './EventRoom.module.css';
import { HIGH_LEVEL } from './eventRoom';

interface StandingProps {
  event: Event;
  player: Player;
}

/** The player's standing with an explanation, and the remaining time of the event. */
export function Standing({ event: { endTime, maxLosses }, player: { rank, level, wins, losses } }: StandingProps) {
  return (
    <Card title="Your standing">
      <dl className={classes.standing}>
        {rank !== undefined && <Figure name="Place" value={String(rank)} />}
        <Figure name="Level" value={String(level)} />
        <Figure name="Wins" value={String(wins)} />
        <Figure name="Losses" value={maxLosses === 0 ? String(losses) : `${losses} of ${maxLosses}`} />
      </dl>
      <ol className={classes.ladder} aria-label="The boards of the levels">
        {BOARDS.map(({ size, levels }) => (
          <li key={size} aria-current={size === boardOf(level) ? 'true' : undefined}>
            <b>{`${size}×${size}`}</b>
            <small>{levels}</small>
          </li>
        ))}
      </ol>
      <p className={classes.about}>
        {`On level ${level} you play on ${boardOf(level)}×${boardOf(level)}; against somebody on a lower level, on theirs. `}
        {`Each win takes you up a level. ${outAfter(maxLosses, losses)}`}
      </p>
      {endTime !== undefined && <EndsIn at={endTime} />}
      {level >= HIGH_LEVEL && (
        <p className={classes.warning}>
          You have reached level {level}: few are that far, so finding opponents may take longer.
        </p>
      )}
    </Card>
  );
}

const BOARDS = [
  { size: 3, levels: 'level 1–2' },
  { size: 4, levels: 'level 3–4' },
  { size: 5, levels: 'level 5–6' },
  { size: 6, levels: 'level 7+' },
];

/** Levels 1 and 2 play on 3×3, 3 and 4 on 4×4, 5 and 6 on 5×5, higher ones on 6×6. */
function boardOf(level: number): number {
  return Math.min(6, 3 + Math.floor((level - 1) / 2));
}

function outAfter(maxLosses: number, losses: number): string {
  if (maxLosses === 0) return 'Nobody is eliminated.';
  const left = maxLosses - losses;
  return left === 1 ? 'The next loss ends the event for you.' : `${left} more losses end the event for you.`;
}

export function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
