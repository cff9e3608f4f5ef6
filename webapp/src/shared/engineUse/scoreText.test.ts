import { describe, expect, it } from 'vitest';
import { rarity, secondsText, summary } from './scoreText';

const score = {
  user: {
    userId: 'u',
    username: 'bob',
    displayName: 'Bob',
    profile: '',
    isProUser: false,
    isTempUser: false,
  },
  level: 'usual',
  score: 0.4,
  chance: 0.34,
  games: 9,
  critical: { seen: 61, found: 45 },
  expected: 43,
  updatedAt: '2026-11-20T18:00:00Z',
} as const;

describe('the text of a score', () => {
  it.each([
    [0.34, 'one in 3'],
    [0.000_435, 'one in 2,300'],
    [0, 'fewer than one in a million'],
    [1e-9, 'fewer than one in a million'],
    [0.98, 'nearly all'],
  ])('says how rare %d is', (chance, text) => {
    expect(rarity(chance)).toBe(text);
  });

  it('says what few positions and many come to', () => {
    expect(summary(score)).toBe('Of players with this rating, one in 3 finds as many.');
    expect(summary({ ...score, chance: 0.9 })).toBe('Of players with this rating, nearly all find as many.');
    expect(summary({ ...score, level: 'too-few', critical: { seen: 1, found: 1 } })).toBe(
      '1 critical position so far: with fewer than 40 a score says nothing.',
    );
  });

  it('says how long a move took', () => {
    expect([800, 9_940, 9_960, 12_400].map(secondsText)).toEqual(['0.8 s', '9.9 s', '10 s', '12 s']);
  });
});
