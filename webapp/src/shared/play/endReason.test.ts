import { expect, it } from 'vitest';
import { inARow, reasonSentence } from './endReason';

it.each([
  [3, 'Three in a row'],
  [4, 'Four in a row'],
  [5, 'Four in a row'],
  [6, 'Four in a row'],
])('a line on a board of %i is told', (boardSize, told) => {
  expect(inARow(boardSize)).toBe(told);
  expect(reasonSentence({ reason: 'line', boardSize }, 'bob')).toBe(`${told}.`);
});
