import { useMemo } from 'react';
import type { components } from '@/api/schema';
import { Sheet } from '@/shared/board/Board';
import { CELL } from '@/shared/board/pen';
import classes from './EngineEvidence.module.css';

interface PositionBoardProps {
  position: Pick<components['schemas']['EnginePosition'], 'board' | 'symbol' | 'played' | 'keeping'>;
}

/** A position after the move, with the other moves that would have kept its value. */
export function PositionBoard({ position: { board, symbol, played, keeping } }: PositionBoardProps) {
  const size = board.length;
  const [playedRow = 0, playedCol = 0] = played;
  const cells = useMemo(
    () =>
      board.map((contents, row) =>
        contents.map((content, col) => (row === playedRow && col === playedCol ? symbol : content)),
      ),
    [board, symbol, playedRow, playedCol],
  );
  const others = keeping.filter(([row, col]) => row !== playedRow || col !== playedCol);
  const nameOf = ([row = 0, col = 0]: readonly number[]) => `row ${row + 1}, column ${col + 1}`;
  const also = others.length === 0 ? 'No other move keeps the value.' : `So do ${others.map(nameOf).join('; ')}.`;
  return (
    <span role="img" aria-label={`${symbol} played ${nameOf(played)}. ${also}`} className={classes.board}>
      <Sheet
        size={size}
        cells={cells}
        winningLine={null}
        lastMove={{ row: playedRow, col: playedCol }}
        hint={null}
        turn={null}
      />
      <svg viewBox={`0 0 ${size * CELL} ${size * CELL}`} className={classes.dots} aria-hidden="true">
        {others.map(([row = 0, col = 0]) => (
          <circle key={`${row} ${col}`} cx={(col + 0.5) * CELL} cy={(row + 0.5) * CELL} r={CELL * 0.13} />
        ))}
      </svg>
    </span>
  );
}
