import { Button } from '@mantine/core';
import { type ReviewedMove, rowCol, worthForX } from '@/engine';
import { cellText, type Game, type RowCol } from '@/shared/rules';
import type { Line, Playback } from '@/shared/replay/playback';
import type { GameRecord } from '@/shared/replay/record';
import classes from './Verdict.module.css';
import { LABELS, lineText, lineTitle, openingText, verdictText } from './reviewText';

interface VerdictProps {
  playback: Playback;
  shown: Game;
  names: GameRecord['names'];
  /** The review of the last move on the board; absent while not known. */
  reviewed: ReviewedMove | undefined;
  /** The value of the empty board for X; undefined while not known. */
  openingWorth: number | null | undefined;
  hasFailed: boolean;
  onLine: (line: Omit<Line, 'at'>) => void;
  onBack: () => void;
}

/** The review of the last move, with the lines that prove it. */
export function Verdict(props: VerdictProps) {
  const { playback, shown, names, reviewed, openingWorth, hasFailed, onLine, onBack } = props;
  const { line, ply, game } = playback;

  if (line !== null) {
    return (
      <section className={classes.verdict} aria-label="Verdict" data-line={line.kind}>
        <h2>{lineTitle(line)}</h2>
        <p>{lineText(line, shown, names)}</p>
        <div className={classes.actions}>
          <Button variant="default" onClick={onBack}>
            Back to the game
          </Button>
        </div>
      </section>
    );
  }
  if (ply === 0) {
    return (
      <section className={classes.verdict} aria-label="Verdict">
        <h2>The empty board</h2>
        <p>{openingText(game, openingWorth, names)}</p>
      </section>
    );
  }
  const place = game.moves[ply - 1];
  if (reviewed === undefined || place === undefined) {
    return (
      <section className={classes.verdict} aria-label="Verdict">
        <h2>{place === undefined ? '' : `Move ${ply}`}</h2>
        <p>{hasFailed ? 'The engine is not available right now.' : 'Looking at this move…'}</p>
      </section>
    );
  }

  const { mark, label, before, after } = reviewed;
  const rowColsOf = (cells: readonly number[]): RowCol[] => cells.map((cell) => rowCol(game.size, cell));
  const threw = reviewed.better.length > 0;
  return (
    <section className={classes.verdict} aria-label="Verdict" data-label={label}>
      <h2>{LABELS[label]}</h2>
      <p>
        <b data-mark={mark}>{mark}</b> {cellText(place)}. {verdictText(reviewed, names)}
      </p>
      <div className={classes.actions}>
        {reviewed.line.length > 0 && (
          <Button
            variant="default"
            onClick={() =>
              onLine({ kind: 'proof', from: ply, moves: rowColsOf(reviewed.line), worth: worthForX(mark, after) })
            }
          >
            {label === 'kept-win' || label === 'kept-draw' || label === 'only-move' ? 'Show the line' : 'See why'}
          </Button>
        )}
        {threw && (
          <Button
            variant="default"
            onClick={() =>
              onLine({
                kind: 'better',
                from: ply - 1,
                moves: rowColsOf(reviewed.better),
                worth: worthForX(mark, before),
              })
            }
          >
            What was better
          </Button>
        )}
      </div>
    </section>
  );
}
