import { describe, expect, it } from 'vitest';
import { codeOf, gamesFromCode, practiceReplayPath } from './practiceReplay';
import { gameAfter, type RowCol } from './rules';

function game(size: 3 | 6, starter: 'X' | 'O', ...moves: RowCol[]) {
  const played = gameAfter(size, starter, moves);
  if (typeof played === 'string') throw new Error(played);
  return played;
}

describe('the code of a game', () => {
  it('has a digit for each move', () => {
    expect(codeOf([game(3, 'X', [1, 1], [0, 0])])).toBe('3X40');
    expect(codeOf([game(6, 'O', [5, 5], [1, 4], [0, 0])])).toBe('6Oza0');
  });

  it.each(['3X', '3X40', '3X012435768', '6Oza0', '3O012435768-3X4'])('%s round-trips', (text) => {
    const read = gamesFromCode(text);
    expect(read && codeOf(read)).toBe(text);
  });

  it.each(['', '3', '3Z4', '7X0', '3X9', '3X44', '3X031425', '3x40', '3X4-', '3X4--3X4'])(
    '%j is not a game',
    (text) => {
      expect(gamesFromCode(text)).toBeNull();
    },
  );

  it('makes a URL that names the opponent', () => {
    expect(practiceReplayPath([game(3, 'X', [1, 1])])).toBe('/replay/moves/3X4');
    expect(practiceReplayPath([game(3, 'X', [1, 1])], 'perfect')).toBe('/replay/moves/3X4?ai=perfect');
  });
});
