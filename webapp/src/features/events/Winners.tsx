import type { Event } from '@/api/events';
import { CupDrawing } from '@/shared/illustrations';
import { PersonLink } from '@/shared/people/PersonLink';
import { isStageEvent } from '@/shared/stages/formats';
import { Card } from '@/shared/ui/Card';
import classes from './Winners.module.css';

/** The winners of a concluded event: the first three with at least one win. */
export function Winners({ event, userId }: { event: Event; userId: string | null }) {
  const { winners } = event;
  // Only an arena has levels.
  const level = (winner: Event['winners'][number]) => (isStageEvent(event) ? '' : `Level ${winner.level}, `);
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
              <span>{`${level(winner)}${winner.wins} ${winner.wins === 1 ? 'win' : 'wins'}`}</span>
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}
