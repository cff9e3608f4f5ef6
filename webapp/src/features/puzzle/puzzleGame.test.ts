import { expect, it } from 'vitest';
import type { Puzzle } from '@/engine';
import { makePuzzle } from '@/engine/puzzle';
import { weeksOf } from './calendar';
import { type PuzzleGame, puzzleReducer, startPuzzle } from './puzzleGame';
import { shareText } from './shareText';

// A Sunday: three moves on 6x6.
const puzzle: Puzzle = makePuzzle('2026-11-29');
const contents = ({ game }: PuzzleGame) =>
  game.board
    .flat()
    .map((content) => content || '.')
    .join('');
const played = (at: PuzzleGame, cell: number) => puzzleReducer(at, { type: 'played', cell });

it('is solved by the right moves, each of which is answered', () => {
  let at = startPuzzle(puzzle);
  expect(contents(at)).toBe(puzzle.board);
  for (let move = 1; ; move++) {
    if (at.state.kind !== 'toMove') throw new Error('it is not to move');
    at = played(at, at.state.step.right[0]!.cell);
    if (move === 3) break;
    expect(at.state.kind).toBe('awaitsReply');
    // Nothing can be played meanwhile.
    expect(played(at, contents(at).indexOf('.'))).toBe(at);
    at = puzzleReducer(at, { type: 'replied' });
  }
  expect(at.state.kind).toBe('solved');
  expect(at.game.winner).toBe(puzzle.turn);
  expect(at.game.winningLine).toHaveLength(4);
  expect(contents(puzzleReducer(at, { type: 'restarted', puzzle }))).toBe(puzzle.board);
});

it('shows a wrong move, which has to be taken back', () => {
  const start = startPuzzle(puzzle);
  for (const { cell, leadsTo } of puzzle.step.wrong) {
    const wrong = played(start, cell);
    expect(wrong.state).toMatchObject({ kind: 'wrong', leadsTo });
    expect(contents(wrong)[cell]).toBe(puzzle.turn);
    expect(played(wrong, puzzle.step.right[0]!.cell)).toBe(wrong);
    expect(contents(puzzleReducer(wrong, { type: 'tookBack' }))).toBe(puzzle.board);
  }
});

it('ignores what is not on the board, and what does not fit', () => {
  const start = startPuzzle(puzzle);
  const taken = [...puzzle.board].findIndex((content) => content !== '.');
  for (const cell of [taken, -1, 36, 1.5, NaN]) expect(played(start, cell)).toBe(start);
  for (const type of ['replied', 'tookBack'] as const) expect(puzzleReducer(start, { type })).toBe(start);
});

it('hints in words first, then with the cell, and anew for each move', () => {
  let at = puzzleReducer(startPuzzle(puzzle), { type: 'askedForHint' });
  expect(at.hint).toBe('words');
  at = puzzleReducer(at, { type: 'askedForHint' });
  expect(at.hint).toBe('cell');
  expect(played(at, puzzle.step.right[0]!.cell).hint).toBe('none');
});

it('is shared without its solution', () => {
  const record = { misses: 2, hints: 1, solvedOn: '2026-11-29' };
  expect(shareText(puzzle, record, 4, 'https://play.example.org')).toBe(
    'Morpion puzzle #333 · 6×6, win in 3\n✗✗✓ · 1 hint · 4 days in a row\nhttps://play.example.org/app/puzzle/2026-11-29',
  );
  expect(shareText(puzzle, { ...record, misses: 99, hints: 0 }, 1, '')).toContain('✗✗✗✗✗…✓ · no hints\n');
});

it.each([
  ['2026-11', 6, '2026-11-01', '2026-11-30'],
  ['2027-02', 4, '2027-02-01', '2027-02-28'],
  ['2026-12', 5, '2026-12-01', '2026-12-31'],
])('has %s in %i weeks', (month, weeks, first, last) => {
  const found = weeksOf(month);
  const days = found.flat().filter((day) => day !== null);
  expect(found).toHaveLength(weeks);
  expect([days[0], days.at(-1)]).toEqual([first, last]);
  expect(found.every((week) => week.length === 7)).toBe(true);
});
