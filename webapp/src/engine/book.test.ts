import { expect, it, vi } from 'vitest';
import { Board } from './board.ts';
import { type BookPosition, bookValues, eachBookPosition, encodeBook } from './book.ts';
import { geometry } from './geometry.ts';
import { positionFromCells } from './position.ts';
import { randomFrom } from './random.ts';
import { Solver } from './solver.ts';

vi.setConfig({ testTimeout: 30_000 });

function positionsOf(size: 5 | 6): BookPosition[] {
  const positions: BookPosition[] = [];
  eachBookPosition(new Board(geometry(size)), ({ stones, toMove, index }) => {
    positions.push({ stones: [[...stones[0]], [...stones[1]]], toMove, index });
  });
  return positions;
}

it.each([
  [5, 10_660, 60],
  [6, 47_368, 60],
] as const)(
  'the book of size %i has a value for each of its %i positions, and %i of them are proven again',
  (size, count, sample) => {
    const positions = positionsOf(size);
    const values = bookValues(size);
    expect(positions).toHaveLength(count);
    expect(values.length - count).toBeGreaterThanOrEqual(0);
    expect(values.length - count).toBeLessThan(4);
    const random = randomFrom(size);
    const solver = new Solver(size, { useBook: false });
    for (let i = 0; i < sample; i++) {
      const { stones, toMove, index } = positions[Math.floor(random() * count)]!;
      const cells = Array.from({ length: size ** 2 }, (_, cell) =>
        stones[0].includes(cell) ? 'X' : stones[1].includes(cell) ? 'O' : '',
      );
      const { value, proven } = solver.value(positionFromCells(size, cells, toMove === 0 ? 'X' : 'O'), {});
      expect([cells.join(), value, proven]).toEqual([cells.join(), values[index], true]);
    }
  },
);

it('writing and reading are inverse', () => {
  const values = bookValues(6);
  expect(encodeBook(values)).toBe(encodeBook([...values]));
  expect(new Set(values)).toEqual(new Set(['win', 'draw', 'loss']));
  expect(bookValues(3)).toEqual([]);
});
