import { describe, expect, it } from 'vitest';
import { centreDistance, SIZES } from './geometry.ts';
import { emptyCells, isOver, positionAfter, positionFromCells } from './position.ts';
import { randomFrom } from './random.ts';
import { fallbackMove, heuristic, REFERENCE_AI, referenceMove } from './referenceAi.ts';
import { playGame, randomPlayer } from './testing/play.ts';

describe('the reference AI', () => {
  it('has its documented constants', () => {
    expect(REFERENCE_AI).toEqual({
      maxDepth: { 3: 6, 4: 4, 5: 3, 6: 2 },
      winScore: 1000,
      heuristicBase: 10,
      heuristicFromSize: 4,
      candidates: 8,
      candidatesFromSize: 5,
      searchUpToEmpty: { 3: Infinity, 4: Infinity, 5: Infinity, 6: 15 },
      moveDelayMs: 500,
      timeoutMs: { 3: 2000, 4: 2000, 5: 2000, 6: 3000 },
    });
  });

  it('scores 10 to the power of the longest run, own minus opponent’s', () => {
    const cells = [...'XXX.O..O........'].map((each) => (each === '.' ? null : (each as 'X' | 'O')));
    expect(heuristic(4, cells, 'X')).toBe(1000 - 10);
    expect(heuristic(4, cells, 'O')).toBe(10 - 1000);
  });

  it('wins at once and blocks', () => {
    expect(referenceMove(positionAfter(3, [0, 3, 1, 4]))).toBe(2);
    expect(referenceMove(positionAfter(3, [0, 4, 1]))).toBe(2);
    expect(referenceMove(positionAfter(6, [0, 14, 6, 15, 12]))).toBe(18);
  });

  it('finds a win within its depth on 3x3', () => {
    // X holds two opposite corners, O an edge: any third corner makes two threats.
    expect([2, 4, 6]).toContain(referenceMove(positionAfter(3, [0, 1, 8, 7])));
  });

  it('picks by heuristic alone on 6x6 with more than 15 empty cells', () => {
    // Extending the run of two scores best, although a double threat is possible elsewhere.
    const position = positionFromCells(6, [...'XX..O..O....O.......................'], 'X');
    expect(emptyCells(position).length).toBeGreaterThan(15);
    expect(referenceMove(position)).toBe(2);
  });

  it.each(SIZES)('plays whole games on size %i', (size) => {
    const end = playGame(size, referenceMove, randomPlayer(randomFrom(1)));
    expect(isOver(end)).toBe(true);
  });
});

it('the fallback is a random empty cell as near the centre as possible', () => {
  const random = randomFrom(3);
  const chosen = new Set(Array.from({ length: 40 }, () => fallbackMove(positionAfter(6, [14]), random)));
  expect(chosen).toEqual(new Set([15, 20, 21]));
  expect(fallbackMove(positionAfter(5, [0]), random)).toBe(12);
  expect(centreDistance(5, 12)).toBe(0);
});
