import { expect, it } from 'vitest';
import { notePuzzle, puzzleRecords } from './records';

it('what happens after a puzzle was solved is not counted', () => {
  const day = '2026-11-23';
  notePuzzle(day, 'miss');
  notePuzzle(day, 'hint');
  const solved = { misses: 1, hints: 1, solvedOn: day };
  notePuzzle(day, { solvedOn: day });
  expect(puzzleRecords()[day]).toEqual(solved);
  for (const event of ['miss', 'hint', { solvedOn: '2026-11-24' }] as const) notePuzzle(day, event);
  expect(puzzleRecords()[day]).toEqual(solved);
});
