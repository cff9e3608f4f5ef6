import { describe, expect, it, vi } from 'vitest';
import { makePuzzle } from './puzzle.ts';
import { dayNumber, puzzleShape } from './puzzleDay.ts';
import { faultsByPlay, isUniqueByReference } from './testing/puzzle.ts';

vi.setConfig({ testTimeout: 60_000 });

/** Days of 2026, counted from 0. `npm run prove` takes all of a year. */
function day(of: number): string {
  return new Date(Date.UTC(2026, 0, 1 + of)).toISOString().slice(0, 10);
}

const fourWeeks = Array.from({ length: 28 }, (_, at) => makePuzzle(day(13 * at)));

describe('the puzzle of a day', () => {
  it('has one right first move and the depth of its day, by the rules alone', () => {
    for (const puzzle of fourWeeks) {
      expect(puzzle).toMatchObject(puzzleShape(puzzle.day));
      expect(faultsByPlay(puzzle), puzzle.day).toEqual([]);
    }
  });

  it('has no other move that wins later, by the second solver', () => {
    const small = fourWeeks.filter(({ size }) => size === 4);
    expect(small.map((puzzle) => isUniqueByReference(puzzle, 5_000))).toEqual(small.map(() => true));
    expect(small.length).toBeGreaterThan(6);
  });

  it('is never that of another day', () => {
    expect(new Set(fourWeeks.map(({ turn, board }) => turn + board)).size).toBe(fourWeeks.length);
  });

  it('stays what it is: everybody has to get the same, whatever they made before', () => {
    expect(makePuzzle(day(0))).toEqual(fourWeeks[0]);
    const known = ['2026-11-23', '2026-11-24', '2026-11-29'].map((each) => {
      const { turn, board, step } = makePuzzle(each);
      return [turn, board, step.right[0]?.cell];
    });
    expect(known).toMatchInlineSnapshot(`
      [
        [
          "O",
          "..XO..OX..OO.X.X",
          9,
        ],
        [
          "O",
          "......O...OOXO.X..X...OXX",
          16,
        ],
        [
          "X",
          "O..X..O.X...XXXOO.O.O...X...........",
          19,
        ],
      ]
    `);
  });

  it('gets harder from Monday to Sunday', () => {
    const week = Array.from({ length: 7 }, (_, at) => puzzleShape(`2026-11-${23 + at}`));
    expect(week.map(({ size, plies }) => `${size}/${plies}`)).toEqual([
      '4/3',
      '5/3',
      '6/3',
      '4/5',
      '5/5',
      '6/5',
      '6/5',
    ]);
    expect(puzzleShape('1969-12-28')).toEqual(puzzleShape('2026-11-29'));
  });
});

it.each(['', '2026-2-3', '2026-02-31', '2026-13-01', '20261123', '2026-11-23T00:00', '+2026-11-23', '２026-11-23'])(
  'refuses %j as a day',
  (text) => {
    expect(() => dayNumber(text)).toThrow(RangeError);
    expect(() => makePuzzle(text)).toThrow(RangeError);
  },
);
