import { describe, expect, it, vi } from 'vitest';
import { SIZES } from './geometry.ts';
import {
  emptyCells,
  emptyPosition,
  isOver,
  play,
  type Position,
  positionAfter,
  positionFromCells,
  winner,
} from './position.ts';
import { randomFrom } from './random.ts';
import { negated, Solver, type Value } from './solver.ts';
import { proveByPlay, proveHoldByPlay, randomPosition, textOf } from './testing/play.ts';
import { referenceValue } from './testing/reference.ts';

vi.setConfig({ testTimeout: 30_000 });

describe('the empty board', () => {
  it.each([
    [3, 'draw'],
    [4, 'draw'],
    [5, 'draw'],
    [6, 'win'],
  ] as const)('of size %i is proven, without the book, to be a %s for the starter', (size, value) => {
    const solver = new Solver(size, { useBook: false });
    expect(solver.value(emptyPosition(size), {})).toEqual({ value, proven: true, plies: null });
    expect(solver.value(emptyPosition(size, 'O'), {})).toMatchObject({ value, proven: true });
  });

  it('of 6x6 is won from exactly the 16 inner cells, in 11 plies at best', () => {
    const solution = new Solver(6).solve(emptyPosition(6), {});
    const inner = emptyCells(emptyPosition(6)).filter((cell) =>
      [Math.floor(cell / 6), cell % 6].every((at) => at > 0 && at < 5),
    );
    expect(solution.best).toEqual(inner);
    expect(solution.plies).toBe(11);
    expect(solution.moves.every((move) => move.proven)).toBe(true);
  });
});

describe('a win on 6x6, played out against every defence by the rules alone,', () => {
  it.each([
    [14, 'X', 11],
    [7, 'X', 13],
    [0, 'O', 16],
  ] as const)('after the opening %i is forced by %s, by ply %i at the latest', (opening, side, latest) => {
    const { failures, longest, positions } = proveByPlay(new Solver(6), positionAfter(6, [opening]), side);
    expect(failures).toBe(0);
    expect(longest).toBeLessThanOrEqual(latest);
    expect(positions).toBeGreaterThan(50_000);
  });
});

it('the starter holds 5x5 against every line of play, by the rules alone', () => {
  const { failures, positions } = proveHoldByPlay(new Solver(5), 'X');
  expect(failures).toBe(0);
  expect(positions).toBeGreaterThan(10_000);
});

describe('3x3', () => {
  // Plain minimax over the whole game, with distances.
  const known = new Map<string, { value: Value; plies: number }>();
  const minimax = (position: Position): { value: Value; plies: number } => {
    if (isOver(position)) return { value: winner(position) === null ? 'draw' : 'loss', plies: 0 };
    const text = textOf(position);
    let result = known.get(text);
    if (!result) {
      const rank = ({ value, plies }: { value: Value; plies: number }): number =>
        value === 'win' ? 100 - plies : value === 'draw' ? 0 : plies - 100;
      [result] = emptyCells(position)
        .map((cell) => minimax(play(position, cell)))
        .map(({ value, plies }) => ({ value: negated(value), plies: plies + 1 }))
        .sort((a, b) => rank(b) - rank(a)) as [{ value: Value; plies: number }];
      known.set(text, result);
    }
    return result;
  };

  it('agrees with plain minimax on every position, every move and every distance', () => {
    const solver = new Solver(3);
    minimax(emptyPosition(3));
    expect(known.size).toBe(4520);
    for (const [text, truth] of known) {
      const turn = text.split('X').length === text.split('O').length ? 'X' : 'O';
      const position = positionFromCells(3, text.split(''), turn);
      const solution = solver.solve(position, {});
      const distance = (value: Value, plies: number): number | null => (value === 'draw' ? null : plies);
      expect([text, solution.value, solution.proven, solution.plies]).toEqual([
        text,
        truth.value,
        true,
        distance(truth.value, truth.plies),
      ]);
      for (const move of solution.moves) {
        const after = minimax(play(position, move.cell));
        expect([text, move.cell, move.value, move.plies]).toEqual([
          text,
          move.cell,
          negated(after.value),
          distance(after.value, after.plies + 1),
        ]);
      }
      expect(solution.best).toEqual(
        solution.moves.filter(({ value }) => value === truth.value).map(({ cell }) => cell),
      );
    }
  });
});

describe('the second solver', () => {
  it('proves the empty boards of 3x3 by the rules alone and of 4x4 and 6x6 with potentials', () => {
    expect(referenceValue(3, '.'.repeat(9), 'X', { maxNodes: 1e5, usePotential: false })).toBe('draw');
    expect(referenceValue(4, '.'.repeat(16), 'X', { maxNodes: 1e5, usePotential: true })).toBe('draw');
    expect(referenceValue(6, '.'.repeat(36), 'X', { maxNodes: 1e5, usePotential: true })).toBe('win');
    // The opening in the corner loses; the other edge cells are too slow for this solver and are played out above.
    expect(referenceValue(6, 'X'.padEnd(36, '.'), 'O', { maxNodes: 1e5, usePotential: true })).toBe('win');
  });

  it.each([
    { size: 4, stones: [6, 7, 8, 9, 10, 11], least: 24 },
    { size: 5, stones: [6, 8, 9, 11, 12, 13, 15, 16, 18], least: 36 },
    { size: 6, stones: [5, 6, 7, 8, 9, 10, 12, 13, 15, 16, 18, 20, 23], least: 60 },
  ] as const)('agrees by the rules alone on random positions of size $size', ({ size, stones, least }) => {
    const random = randomFrom(20 + size);
    const solver = new Solver(size, { useBook: false });
    let proven = 0;
    for (const count of stones) {
      for (let i = 0; i < 6; i++) {
        const position = randomPosition(size, count, random);
        const truth = referenceValue(size, textOf(position), position.turn, { maxNodes: 3000, usePotential: false });
        if (truth === 'unknown') continue;
        proven++;
        expect([textOf(position), solver.value(position, {}).value]).toEqual([textOf(position), truth]);
      }
    }
    expect(proven).toBeGreaterThanOrEqual(least);
  });
});

describe('a solution', () => {
  it('is the same under all eight symmetries of a position', () => {
    const solver = new Solver(6);
    const solutions = [8, 9, 13, 16, 19, 22, 26, 27].map((cell) => solver.solve(positionAfter(6, [cell]), {}));
    for (const { value, best, plies } of solutions) {
      expect([value, best.length, plies]).toEqual([
        solutions[0]!.value,
        solutions[0]!.best.length,
        solutions[0]!.plies,
      ]);
    }
  });

  it('finds an immediate win, a forced reply and a double threat', () => {
    const solver = new Solver(4);
    const position = (text: string, turn: 'X' | 'O'): Position => positionFromCells(4, text.split(''), turn);
    expect(solver.solve(position('XXX.OOO.........', 'X'), {})).toMatchObject({ value: 'win', plies: 1, best: [3] });
    const forced = solver.solve(position('XXX.OO..........', 'O'), {});
    expect(forced.best).toEqual([3]);
    expect(forced.moves.find(({ cell }) => cell === 15)).toMatchObject({ value: 'loss', plies: 2, proven: true });
    expect(solver.solve(position('XXX.XO.OX.O....O', 'O'), {})).toMatchObject({ value: 'loss', plies: 2 });
  });

  it('says when it is not proven, and never lists a move proven to lose as best', () => {
    const solver = new Solver(6, { useBook: false });
    const solution = solver.solve(positionAfter(6, [1, 14, 27]), { nodes: 20 });
    expect(solution.proven).toBe(false);
    expect(solution.nodes).toBeLessThan(200);
    const losing = solution.moves.filter((move) => move.proven && move.value === 'loss').map(({ cell }) => cell);
    expect(solution.best.filter((cell) => losing.includes(cell))).toEqual([]);
    expect(solution.best.length).toBeGreaterThan(0);
  });

  it('uses the given clock', () => {
    let time = 0;
    const solver = new Solver(6, { useBook: false });
    const { proven, nodes } = solver.solve(positionAfter(6, [1]), { ms: 10, now: () => time++ });
    expect(proven).toBe(false);
    expect(nodes).toBeLessThan(1000);
    expect(solver.solve(positionAfter(6, [1]), { ms: 0 }).moves).toHaveLength(35);
  });

  it('remembers what it has proven', () => {
    const solver = new Solver(5, { useBook: false });
    expect(solver.value(emptyPosition(5), {}).proven).toBe(true);
    expect(solver.value(emptyPosition(5), { nodes: 1 }).proven).toBe(true);
  });

  it('refuses a finished game and a position of another size', () => {
    expect(() => new Solver(3).solve(positionAfter(3, [0, 3, 1, 4, 2]), {})).toThrow('the game is over');
    expect(() => new Solver(3).solve(emptyPosition(4), {})).toThrow('3x3');
  });
});

describe('distances', () => {
  // The slowest and simplest method: all lines of play to the end.
  const distance = (position: Position): { value: Value; plies: number } => {
    if (isOver(position)) return { value: winner(position) === null ? 'draw' : 'loss', plies: 0 };
    const rank = ({ value, plies }: { value: Value; plies: number }): number =>
      value === 'win' ? 100 - plies : value === 'draw' ? 0 : plies - 100;
    return emptyCells(position)
      .map((cell) => distance(play(position, cell)))
      .map(({ value, plies }) => ({ value: negated(value), plies: plies + 1 }))
      .reduce((best, each) => (rank(each) > rank(best) ? each : best));
  };

  it.each([
    [4, 9],
    [5, 18],
    [6, 29],
  ] as const)('on size %i with %i stones equal those of plain minimax', (size, stones) => {
    const random = randomFrom(size);
    const solver = new Solver(size, { useBook: false });
    for (let i = 0; i < 12; i++) {
      const position = randomPosition(size, stones, random);
      const truth = distance(position);
      const { value, plies } = solver.solve(position, {});
      expect([textOf(position), value, plies]).toEqual([
        textOf(position),
        truth.value,
        truth.value === 'draw' ? null : truth.plies,
      ]);
    }
  });
});

describe('best play', () => {
  it.each(SIZES)('on size %i ends with the computed value and distance', (size) => {
    const random = randomFrom(size);
    const solver = new Solver(size);
    for (let game = 0; game < 12; game++) {
      let position = randomPosition(size, Math.floor(random() * size * 2), random);
      const { value, plies } = solver.solve(position, {});
      const mover = position.turn;
      let played = 0;
      for (; !isOver(position); played++) {
        const cell = solver.bestMove(position, {});
        if (cell === null) break;
        position = play(position, cell);
      }
      const won = winner(position);
      expect(won === null ? 'draw' : won === mover ? 'win' : 'loss').toBe(value);
      if (plies !== null) expect(played).toBe(plies);
    }
  });
});
