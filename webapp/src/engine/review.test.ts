import { expect, it, vi } from 'vitest';
import { Engine } from './engine.ts';
import { play, type Position, positionAfter, winner } from './position.ts';
import type { ReviewedMove } from './review.ts';

vi.setConfig({ testTimeout: 30_000 });

const engine = new Engine();
const labels = (moves: readonly ReviewedMove[]): string[] => moves.map((move) => move.label);

it('labels each move of a game by exact value', () => {
  // X in the corner, O errs on the edge, X misses the win and finds it again, O blocks, X wins.
  const { moves, series, size, first } = engine.review(3, [0, 1, 8, 4, 7, 6, 2, 5], 'X', {});
  expect([size, first]).toEqual([3, 'X']);
  expect(labels(moves)).toEqual([
    'kept-draw',
    'threw-draw',
    'threw-win',
    'only-move',
    'only-move',
    'only-move',
    'only-move',
    'only-move',
  ]);
  expect(series).toEqual([0, 0, 1, 0, 0, 0, 0, 0, 0]);
});

it('labels a throw from a win to a loss, and moves that are lost already', () => {
  const { moves, series } = engine.review(3, [4, 1, 0, 8, 6, 3, 2], 'X', {});
  expect(labels(moves)).toEqual([
    'kept-draw',
    'threw-draw',
    'kept-win',
    'lost-already',
    'kept-win',
    'lost-already',
    'only-move',
  ]);
  expect(series).toEqual([0, 0, 1, 1, 1, 1, 1, 1]);
  expect(moves[6]).toMatchObject({
    ply: 7,
    cell: 2,
    mark: 'X',
    before: { value: 'win', plies: 1 },
    after: { plies: 1 },
  });
});

it('shows the line that proves a throw, and the better line', () => {
  // Against this opening only the middle holds; X then misses the win.
  const game = [6, 0, 24, 12];
  const { moves } = engine.review(5, game, 'X', {});
  expect(labels(moves)).toEqual(['kept-draw', 'threw-draw', 'threw-win', 'only-move']);
  const endOf = (played: readonly number[], line: readonly number[]): Position =>
    line.reduce(play, positionAfter(5, played));
  expect(winner(endOf(game.slice(0, 2), moves[1]!.line))).toBe('X');
  expect(winner(endOf(game.slice(0, 1), moves[1]!.better))).toBeNull();
  expect(winner(endOf(game.slice(0, 3), moves[2]!.line))).toBeNull();
  expect(winner(endOf(game.slice(0, 2), moves[2]!.better))).toBe('X');
  for (const { better, best } of moves.slice(1, 3)) expect(best).toContain(better[0]);
  expect(moves[3]!.better).toEqual([]);
});

it('plays out the proof for a 6x6 opening on the edge', () => {
  const { moves, series } = engine.review(6, [0, 14], 'X', {});
  expect(labels(moves)).toEqual(['threw-win', 'kept-win']);
  expect(series).toEqual([1, -1, -1]);
  let position = positionAfter(6, [0]);
  for (const cell of moves[0]!.line) position = play(position, cell);
  expect(winner(position)).toBe('O');
});

it('gives values for X, whoever starts', () => {
  expect(engine.review(3, [4, 1, 0, 8], 'O', {}).series).toEqual([0, 0, -1, -1, -1]);
});

it('labels unproven moves as unproven, without further claims', () => {
  const { moves, series } = new Engine().review(6, [0, 14, 1, 20, 3, 22], 'X', { ms: 0 });
  expect(labels(moves)).toContain('unproven');
  expect(series).toContain(null);
});

it('reviews a running game, a finished one and none, and refuses an impossible one', () => {
  expect(engine.review(3, [], 'X', {})).toMatchObject({ moves: [], series: [0] });
  expect(() => engine.review(3, [4, 4], 'X', {})).toThrow('that cell is taken');
  expect(() => engine.review(3, [0, 3, 1, 4, 2, 5], 'X', {})).toThrow('the game is over');
});
