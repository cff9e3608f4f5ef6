import { type CSSProperties, useId } from 'react';
import { ruledLine } from '../board/pen';
import classes from './BracketColumns.module.css';
import { BracketMatch } from './BracketMatch';
import type { BracketMatchShape, BracketShape } from './bracketShape';
import { isIn, roundName } from './match';

interface BracketColumnsProps {
  shape: BracketShape;
  expectedRounds: number;
  userId?: string | null;
  followed?: string | null;
  /** The only round that a phone shows; all if absent. */
  shown?: number;
  isStill?: boolean;
}

/** The rounds of a knockout beside each other, with lines from each match to the next; on a phone one of them. */
export function BracketColumns({
  shape: { rounds, third },
  expectedRounds,
  userId = null,
  followed = null,
  shown,
  isStill = false,
}: BracketColumnsProps) {
  const first = rounds[0]?.round.round;
  const match = (shape: BracketMatchShape) => (
    <BracketMatch shape={shape} userId={userId} followed={followed} isStill={isStill} />
  );
  const isShown = (round: number) => shown === undefined || shown === round;
  return (
    <>
      <div className={classes.columns} data-following={followed !== null}>
        {rounds.map(({ round: { round }, matches }) => (
          <Column key={round} name={roundName('knockout', round, expectedRounds)} isShown={isShown(round)}>
            <ol className={classes.matches}>
              {matches.map((shape) => (
                <li key={shape.pairing.board} data-followed={isIn(shape.pairing, followed)}>
                  {round !== first && <Lines shape={shape} followed={followed} />}
                  {match(shape)}
                </li>
              ))}
            </ol>
          </Column>
        ))}
      </div>
      {third !== undefined && (
        <div
          className={classes.third}
          data-following={followed !== null}
          style={{ '--rounds': rounds.length } as CSSProperties}
        >
          <Column name="Third place" isShown={isShown(expectedRounds)}>
            <ol className={classes.matches}>
              <li data-followed={isIn(third.pairing, followed)}>{match(third)}</li>
            </ol>
          </Column>
        </div>
      )}
    </>
  );
}

interface ColumnProps {
  name: string;
  isShown: boolean;
  children: React.ReactNode;
}

function Column({ name, isShown, children }: ColumnProps) {
  const id = useId();
  return (
    <section className={classes.column} aria-labelledby={id} data-shown={isShown}>
      <h2 id={id}>{name}</h2>
      {children}
    </section>
  );
}

/** The drawing's size; it is stretched to the height of the match. */
const WIDTH = 30;
const HEIGHT = 120;
/** Lines meet a little past each other, as a ruler leaves them. */
const PAST = 1.5;

/** The lines from the two matches before, the way of the player who is followed in bold. */
function Lines({ shape: { pairing, feeders }, followed }: { shape: BracketMatchShape; followed: string | null }) {
  const [left, middle, right] = [0, WIDTH / 2, WIDTH];
  const from = feeders.map((feeder) => feeder !== undefined && isIn(feeder, followed) && isIn(pairing, followed));
  const seed = 7 * pairing.board;
  const lines = [HEIGHT / 4, (3 * HEIGHT) / 4].map((y, at) => ({
    isFollowed: from[at] === true,
    path:
      ruledLine([left, y], [middle + PAST, y], seed + at) +
      ruledLine([middle, y + (at === 0 ? -PAST : PAST)], [middle, HEIGHT / 2], seed + 2 + at),
  }));
  return (
    <svg
      className={classes.lines}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
    >
      {lines.map(({ path, isFollowed }, at) => (
        <path key={at} d={path} data-followed={isFollowed} />
      ))}
      <path
        d={ruledLine([middle - PAST, HEIGHT / 2], [right, HEIGHT / 2], seed + 4)}
        data-followed={from.includes(true)}
      />
    </svg>
  );
}
