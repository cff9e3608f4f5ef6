import { useMemo } from 'react';
import classes from './Board.module.css';
import { Sheet } from './Board';

interface StillBoardProps {
  size: number;
  /** Row by row, 'X', 'O' and '.'; an empty text for an empty board. Marks that come later are drawn. */
  board: string;
  /** Row and column. */
  lastMove?: readonly number[] | undefined;
  /** The cells of the complete line as row and column. */
  winningLine?: readonly (readonly number[])[] | undefined;
}

/** A drawing of a board, to look at, without a sound: what surrounds it says what it is. */
export function StillBoard({ size, board, lastMove, winningLine }: StillBoardProps) {
  const cells = useMemo(
    () =>
      Array.from({ length: size }, (_, row) =>
        Array.from({ length: size }, (_, col) => (board[row * size + col] ?? '.').replace('.', '')),
      ),
    [size, board],
  );
  const [row, col] = lastMove ?? [];
  return (
    <span className={classes.still}>
      <Sheet
        size={size}
        cells={cells}
        winningLine={winningLine ?? null}
        lastMove={row === undefined || col === undefined ? null : { row, col }}
        hint={null}
        turn={null}
        isSilent
      />
    </span>
  );
}
