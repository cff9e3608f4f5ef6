/**
 * A position in the public interface: the marks and whose turn it is. Plain data, so it can be posted to the worker
 * unchanged. Everything behind this module may rely on a `Position` being possible (see `checked`).
 */

import { type CellSet, cellCount, hasCell, hiBit, loBit } from './bits.ts';
import { geometry, isSize, type Size } from './geometry.ts';

export type Mark = 'X' | 'O';

/** `row * size + col`. */
export type Cell = number;

export interface Position {
  readonly size: Size;
  readonly turn: Mark;
  readonly x: CellSet;
  readonly o: CellSet;
}

/** Why a position or a move is invalid. The message is for users. */
export class InvalidPosition extends Error {
  override readonly name = 'InvalidPosition';
}

export function opposite(mark: Mark): Mark {
  return mark === 'X' ? 'O' : 'X';
}

export function rowCol(size: Size, cell: Cell): [row: number, col: number] {
  return [Math.floor(cell / size), cell % size];
}

export function emptyPosition(size: Size, turn: Mark = 'X'): Position {
  return { size, turn, x: NOTHING, o: NOTHING };
}

const NOTHING: CellSet = { lo: 0, hi: 0 };

/**
 * A position from its cells in reading order, each 'X', 'O' or '' (or '.').
 * @throws InvalidPosition for a wrong number of cells, other contents, counts no game reaches, or the wrong turn.
 */
export function positionFromCells(size: Size, cells: readonly string[], turn: Mark): Position {
  if (cells.length !== size * size) {
    throw new InvalidPosition(`the board must have ${size * size} cells, not ${cells.length}`);
  }
  let x = NOTHING;
  let o = NOTHING;
  cells.forEach((content, cell) => {
    if (content === 'X') x = withCell(x, cell);
    else if (content === 'O') o = withCell(o, cell);
    else if (content !== '' && content !== '.') throw new InvalidPosition("a cell is 'X', 'O' or '.'");
  });
  return checked({ size, turn, x, o });
}

/**
 * The position after some moves on the empty board, played in turn.
 * @throws InvalidPosition when a move is off the board, on a taken cell, or after the end.
 */
export function positionAfter(size: Size, moves: readonly Cell[], first: Mark = 'X'): Position {
  if (!isSize(size)) throw new InvalidPosition('the size must be 3, 4, 5 or 6');
  return moves.reduce(play, emptyPosition(size, first));
}

/** @throws InvalidPosition when the cell is off the board or taken, or the game is over. */
export function play(position: Position, cell: Cell): Position {
  if (!Number.isInteger(cell) || cell < 0 || cell >= position.size ** 2) throw new InvalidPosition('no such cell');
  if (contentOf(position, cell) !== null) throw new InvalidPosition('that cell is taken');
  if (isOver(position)) throw new InvalidPosition('the game is over');
  return position.turn === 'X'
    ? { ...position, turn: 'O', x: withCell(position.x, cell) }
    : { ...position, turn: 'X', o: withCell(position.o, cell) };
}

export function contentOf(position: Position, cell: Cell): Mark | null {
  if (hasCell(position.x, cell)) return 'X';
  return hasCell(position.o, cell) ? 'O' : null;
}

export function emptyCells(position: Position): Cell[] {
  const { x, o } = position;
  const taken = { lo: x.lo | o.lo, hi: x.hi | o.hi };
  const cells: Cell[] = [];
  for (let cell = 0; cell < position.size ** 2; cell++) {
    if (!hasCell(taken, cell)) cells.push(cell);
  }
  return cells;
}

/** The complete lines on the board: none, or those of the winner. */
export function winningLines(position: Position): (readonly Cell[])[] {
  const { lines, lineLo, lineHi } = geometry(position.size);
  return lines.filter((_, index) =>
    [position.x, position.o].some(
      ({ lo, hi }) => (lo & lineLo[index]!) === lineLo[index] && (hi & lineHi[index]!) === lineHi[index],
    ),
  );
}

export function winner(position: Position): Mark | null {
  const [line] = winningLines(position);
  return line === undefined ? null : contentOf(position, line[0]!);
}

export function isOver(position: Position): boolean {
  return isFull(position) || winningLines(position).length > 0;
}

function isFull({ size, x, o }: Position): boolean {
  return cellCount(x) + cellCount(o) === size ** 2;
}

/** Returns a valid position: counts that turns allow, the right turn, not over. */
function checked(position: Position): Position {
  const xs = cellCount(position.x);
  const os = cellCount(position.o);
  if (Math.abs(xs - os) > 1) throw new InvalidPosition(`no game reaches ${xs} X and ${os} O`);
  if (xs !== os && position.turn !== (xs < os ? 'X' : 'O')) {
    throw new InvalidPosition(`it is not ${position.turn}'s turn`);
  }
  if (isOver(position)) throw new InvalidPosition('the game is over');
  return position;
}

function withCell(set: CellSet, cell: Cell): CellSet {
  return { lo: set.lo | loBit(cell), hi: set.hi | hiBit(cell) };
}
