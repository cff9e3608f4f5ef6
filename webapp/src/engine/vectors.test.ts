import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Size, SIZES } from './geometry.ts';
import { type Mark, positionFromCells, rowCol } from './position.ts';
import { Solver, type Value } from './solver.ts';

interface PositionCase {
  readonly size: Size;
  readonly board: readonly (readonly string[])[];
  readonly turn: Mark;
  readonly value: Value;
  readonly keeping: readonly (readonly number[])[];
}

/** The server's solver compares moves of rated games with these same results. */
const cases = JSON.parse(
  readFileSync(resolve('../appliance/rules/vectors/positions.json'), 'utf8'),
) as readonly PositionCase[];

describe('the positions that the server solves, too,', () => {
  // On a busy machine those of 6×6 take longer than the usual limit.
  it.each(SIZES)('have the same values and moves on size %i', { timeout: 60_000 }, (size) => {
    const solver = new Solver(size, { useBook: false });
    const ofSize = cases.filter((each) => each.size === size);
    expect(ofSize.length).toBeGreaterThan(10);
    for (const { board, turn, value, keeping } of ofSize) {
      const position = positionFromCells(size, board.flat(), turn);
      const solution = solver.solve(position, {});
      const best = solution.best.map((cell) => rowCol(size, cell));
      expect([board, solution.value, solution.proven, best]).toEqual([board, value, true, keeping]);
    }
  });
});
