/** Board sizes and winning lines: docs/behaviour/play.md#boards. */

export const BOARD_SIZES = [3, 4, 5, 6] as const;
export type BoardSize = (typeof BOARD_SIZES)[number];

export function isBoardSize(value: unknown): value is BoardSize {
  return BOARD_SIZES.some((size) => size === value);
}

/** How many in a row are needed to win. */
export function winLength(size: BoardSize): 3 | 4 {
  return size === 3 ? 3 : 4;
}

/** Row and column, counted from 0 at the top left. */
export type RowCol = readonly [row: number, col: number];
export type Line = readonly RowCol[];

/** A cell in words, counted from 1. */
export function cellText([row, col]: RowCol): string {
  return `row ${row + 1}, column ${col + 1}`;
}

/** Rows, columns, falling and rising diagonals, in order of preference. */
const DIRECTIONS: readonly RowCol[] = [
  [0, 1],
  [1, 0],
  [1, 1],
  [1, -1],
];

function allLines(size: BoardSize): readonly Line[] {
  const length = winLength(size);
  return DIRECTIONS.flatMap(([down, right]) =>
    Array.from({ length: size * size }, (_, cell): Line => {
      const [row, col] = [Math.floor(cell / size), cell % size];
      return Array.from({ length }, (_, step): RowCol => [row + down * step, col + right * step]);
    }),
  ).filter((line) => line.every(([row, col]) => row < size && col >= 0 && col < size));
}

/** Made at the first need: they are looked through after each move. */
const LINES = new Map<BoardSize, readonly Line[]>();

/** Every winning line. Where a move completes several, the first of these is the one shown, here and on the server. */
export function winningLines(size: BoardSize): readonly Line[] {
  const lines = LINES.get(size) ?? allLines(size);
  LINES.set(size, lines);
  return lines;
}
