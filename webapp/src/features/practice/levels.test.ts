import { afterEach, describe, expect, it } from 'vitest';
import { LEVELS, lossShare } from '@/engine';
import { BOARD_SIZES } from '@/shared/rules';
import { LEVEL_KEY, levelText, odds, storedLevel, storeLevel } from './levels';

afterEach(() => localStorage.clear());

describe('the description of a level', () => {
  it('expresses shares in words', () => {
    expect([0, 0.2, 0.334, 0.5, 0.94, 0.97].map(odds)).toEqual([
      'hardly a game',
      'about 1 game in 5',
      'about 1 game in 3',
      'about 5 games in 10',
      'about 9 games in 10',
      'nearly every game',
    ]);
  });

  it.each(BOARD_SIZES)('matches the measurement on size %i', (size) => {
    for (const level of ['easy', 'medium', 'hard'] as const) {
      const [careful, perfect] = [lossShare(size, level, 'careful'), lossShare(size, level, 'perfect')];
      if (careful + perfect > 0) expect(levelText(level, size)).toContain(odds(careful));
      else expect(levelText(level, size)).toMatch(/^Slips at (60|30|10) in 100 chances\.$/);
    }
  });

  it('gives the depth of the sparring partner: 6, 4, 3 and 2 moves', () => {
    expect(BOARD_SIZES.map((size) => levelText('spec', size))).toEqual(
      [6, 4, 3, 2].map((depth) => `Looks ${depth} moves ahead and guesses the rest.`),
    );
  });
});

describe('the stored level', () => {
  it('is Perfect at first, and the one chosen last afterwards', () => {
    expect(storedLevel()).toBe('perfect');
    for (const level of LEVELS) {
      storeLevel(level);
      expect(storedLevel()).toBe(level);
    }
  });

  it('is Perfect when the stored value is invalid', () => {
    localStorage.setItem(LEVEL_KEY, '"grandmaster"');
    expect(storedLevel()).toBe('perfect');
  });
});
