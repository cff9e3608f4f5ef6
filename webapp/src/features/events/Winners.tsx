import type { Event } from '@/api/events';
import { CupDrawing } from '@/shared/illustrations';
import { PersonLink } from '@/shared/people/PersonLink';
import { Card } from '@/shared/ui/Card';
import classes from './Winners.module.css';

/** The winners of a concluded event: the first three with at least one win. */
export function Winners({ event: { winners }, userId }: { event: Event; userId: string | null }) {
  return (
    <Card title="Winners">
      <CupDrawing className={classes.drawing} />
      {winners.length === 0 ? (
        <p className={classes.none}>Nobody won it.</p>
      ) : (
        <ol className={classes.winners}>
          {winners.map((winner) => (
            <li key={winner.userId} aria-current={winner.userId === userId}>
              <strong>
                <PersonLink person={winner} />
              </strong>
              <span>{`Level ${winner.level}, ${winner.wins} ${winner.wins === 1 ? 'win' : 'wins'}`}</span>
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}
