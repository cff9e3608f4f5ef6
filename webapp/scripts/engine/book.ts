/**
 * Makes the opening book, src/engine/book.data.ts, from nothing but the solver: about a quarter of an hour on one core.
 * Positions with the most stones come first, so that those with fewer find their continuations proven.
 */

import { writeFileSync } from 'node:fs';
import { Board, type Side } from '../../src/engine/board.ts';
import { type BookPosition, eachBookPosition, encodeBook } from '../../src/engine/book.ts';
import { geometry, type Size } from '../../src/engine/geometry.ts';
import { positionFromCells } from '../../src/engine/position.ts';
import { Solver, type Value } from '../../src/engine/solver.ts';

function makeBook(size: Size): string {
  const solver = new Solver(size, { useBook: false });
  const positions: BookPosition[] = [];
  eachBookPosition(new Board(geometry(size)), ({ stones, ...rest }) => {
    positions.push({ stones: [[...stones[0]], [...stones[1]]], ...rest });
  });
  const values: Value[] = [];
  const started = performance.now();
  for (const { stones, toMove, index } of positions.toReversed()) {
    const cells = Array.from({ length: size * size }, (_, cell) => markAt(stones, cell));
    const { value, proven } = solver.value(positionFromCells(size, cells, toMove === 0 ? 'X' : 'O'), {});
    if (!proven) throw new Error(`position ${index} of ${size}x${size} could not be proven`);
    values[index] = value;
    if (index % 1000 === 0) {
      console.error(`${size}x${size}: ${index} to go, ${((performance.now() - started) / 1000).toFixed(0)} s`);
    }
  }
  return encodeBook(values);
}

function markAt(stones: BookPosition['stones'], cell: number): string {
  const side = ([0, 1] as Side[]).find((each) => stones[each].includes(cell));
  return side === undefined ? '' : side === 0 ? 'X' : 'O';
}

writeFileSync(
  new URL('../../src/engine/book.data.ts', import.meta.url),
  `/** Made by scripts/engine/book.ts. See book.ts. */
export const BOOK_5 =
  '${makeBook(5)}';
export const BOOK_6 =
  '${makeBook(6)}';
`,
);
