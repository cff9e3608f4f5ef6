/**
 * The opening book: the exact value of every position of up to four stones on 5x5 and 6x6, where a search without it
 * takes longest. `scripts/engine/book.ts` generates it, and a test proves a sample of it again.
 *
 * Positions are counted in one fixed order, once for each class of symmetric ones; the book is their values in that
 * order, two bits each.
 */

import { type Board, other, type Side } from './board.ts';
import { BOOK_5, BOOK_6 } from './book.data.ts';
import { type Size } from './geometry.ts';
import type { Value } from './solver.ts';

export const BOOK_STONES = 4;

const CODES: readonly Value[] = ['draw', 'win', 'loss'];
const PER_BYTE = 4;

/** A position of the book: the stones of both sides, of which side 0 started, and who is to move. */
export interface BookPosition {
  readonly stones: readonly [readonly number[], readonly number[]];
  readonly toMove: Side;
  /** Its index in the book. */
  readonly index: number;
}

/** Visits the positions in the book's order, each set up with its key on `board`, which is empty before and after. */
export function eachBookPosition(board: Board, visit: (position: BookPosition) => void): void {
  let index = 0;
  const stones: [number[], number[]] = [[], []];
  const set = (cell: number, side: Side): void => {
    board.place(cell, side);
    board.addToKey(cell, side);
    stones[side].push(cell);
  };
  const unset = (cell: number, side: Side): void => {
    stones[side].pop();
    board.takeFromKey(cell, side);
    board.take(cell, side);
  };
  const extend = (side: Side, from: number, left: number, then: () => void): void => {
    if (left === 0) return then();
    for (let cell = from; cell < board.geometry.cellCount; cell++) {
      if (!board.isEmpty(cell)) continue;
      set(cell, side);
      extend(side, cell + 1, left - 1, then);
      unset(cell, side);
    }
  };
  for (let count = 0; count <= BOOK_STONES; count++) {
    const toMove: Side = count % 2 === 0 ? 0 : 1;
    extend(0, 0, Math.ceil(count / 2), () => {
      extend(1, 0, Math.floor(count / 2), () => {
        board.canonicalise();
        if (board.isCanonical()) visit({ stones, toMove, index: index++ });
      });
    });
  }
}

/** The book's values in order, for the side to move; none for a size without a book. */
export function bookValues(size: Size): readonly Value[] {
  const text = size === 5 ? BOOK_5 : size === 6 ? BOOK_6 : '';
  const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  return Array.from({ length: bytes.length * PER_BYTE }, (_, index) => {
    const code = (bytes[Math.floor(index / PER_BYTE)]! >> (2 * (index % PER_BYTE))) & 3;
    return CODES[code]!;
  });
}

/** The inverse of `bookValues`, as base64; the last byte is padded with draws. */
export function encodeBook(values: readonly Value[]): string {
  const bytes = new Uint8Array(Math.ceil(values.length / PER_BYTE));
  values.forEach((value, index) => {
    bytes[Math.floor(index / PER_BYTE)]! |= CODES.indexOf(value) << (2 * (index % PER_BYTE));
  });
  return btoa(String.fromCharCode(...bytes));
}

/** Passes the book's value of the position on `board` to `learn`: whether `attacker` wins it. */
export function readBook(size: Size, board: Board, learn: (attacker: Side, toMove: Side, wins: boolean) => void): void {
  const values = bookValues(size);
  if (values.length === 0) return;
  eachBookPosition(board, ({ toMove, index }) => {
    learn(toMove, toMove, values[index] === 'win');
    learn(other(toMove), toMove, values[index] === 'loss');
  });
}
