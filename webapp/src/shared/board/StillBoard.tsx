import { useMemo } from 'react';
import classes from './Board.module.css';
import { Sheet } from './Board';

interface StillBoardProps {
  size: number;
  /** Row by row, 'X', 'O' and '.'; an empty text for an empty board. Marks that come later are drawn. */
  board: string;
}

/** A drawing of a board, to look at: what surrounds it says what it is. */
export function StillBoard({ size, board }: StillBoardProps) {
  const cells = useMemo(
    () =>
      Array.from({ length: size }, (_, row) =>
        Array.from({ length: size }, (_, col) => (board[row * size + col] ?? '.').replace('.', '')),
      ),
    [size, board],
  );
  return (
    <span className={classes.still}>
      <Sheet size={size} cells={cells} winningLine={null} lastMove={null} hint={null} turn={null} />
    </span>
  );
}
