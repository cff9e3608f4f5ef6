import { expect, it } from 'vitest';
import type { MoveLabel, ReviewedMove } from '@/engine';
import { newGame } from '@/shared/rules';
import { LABELS, openingText, summaryText, turningPoints, verdictText } from './reviewText';

const names = { X: 'ada', O: 'bob' };

function move(label: MoveLabel, over: Partial<ReviewedMove> = {}): ReviewedMove {
  const judgement = { value: 'draw', proven: true, plies: null } as const;
  return {
    ply: 4,
    cell: 0,
    mark: 'O',
    label,
    before: judgement,
    after: judgement,
    best: [],
    line: [],
    better: [],
    ...over,
  };
}
const won = (plies: number | null) => ({ value: 'win', proven: true, plies }) as const;
const lost = (plies: number | null) => ({ value: 'loss', proven: true, plies }) as const;

it('has a name for each kind of move', () => {
  expect(Object.values(LABELS)).toEqual([
    'Kept the win',
    'Kept the draw',
    'Only move',
    'Threw the win',
    'Threw the draw',
    'Lost already',
    'Unproven',
  ]);
});

it.each([
  [move('kept-win', { after: won(3) }), 'bob can force the win, at the latest on move 6.'],
  [move('kept-win', { after: won(1) }), 'bob wins with this move.'],
  [move('kept-win', { after: won(null) }), 'bob can force the win.'],
  [move('kept-draw'), 'With best play it stays a draw.'],
  [move('only-move', { before: won(5) }), 'Nothing else kept the win.'],
  [move('only-move'), 'Everything else would have lost.'],
  [move('threw-win'), 'bob could have forced a win. Now it is a draw.'],
  [move('threw-win', { after: lost(4) }), 'bob could have forced a win. Now ada can, at the latest on move 7.'],
  [move('threw-draw', { after: lost(2) }), 'It was a draw. Now ada can force a win, at the latest on move 5.'],
  [move('lost-already', { after: lost(null) }), 'ada wins whatever bob plays.'],
  [move('unproven'), 'Its value could not be proven in the time given.'],
])('describes what is proven about a move', (reviewed, text) => {
  expect(verdictText(reviewed, names)).toBe(text);
});

it('describes the value of the empty board', () => {
  expect(openingText(newGame(5), 0, names)).toBe('With best play 5×5 is a draw.');
  expect(openingText(newGame(6), 1, names)).toBe('On 6×6 whoever starts can force a win: here ada.');
  expect(openingText(newGame(6, 'O'), -1, names)).toBe('On 6×6 whoever starts can force a win: here bob.');
  expect(openingText(newGame(6), null, names)).toContain('could not be proven');
  expect(openingText(newGame(6), undefined, names)).toBe('');
});

it('summarises a review, including unproven moves', () => {
  const throws = [move('threw-win', { mark: 'X' }), move('threw-draw'), move('threw-draw')];
  expect(turningPoints([...throws, move('kept-draw')])).toEqual(throws);
  expect(summaryText([], false, names)).toBe('Looking at the moves…');
  expect(summaryText([move('kept-draw')], false, names)).toBe('Looked at 1 so far…');
  expect(summaryText([move('kept-draw')], true, names)).toBe('No mistakes were found.');
  expect(summaryText(throws, true, names)).toBe('Mistakes: ada once, bob twice.');
  expect(summaryText([move('unproven')], true, names)).toBe(
    'No proven mistakes were found. One move could not be proven.',
  );
});
