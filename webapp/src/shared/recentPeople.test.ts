import { beforeEach, describe, expect, it } from 'vitest';
import {
  removeRecentPerson,
  addRecentPerson,
  RECENT_PEOPLE_CAP,
  RECENT_PEOPLE_KEY,
  recentPeople,
} from './recentPeople';

beforeEach(() => localStorage.clear());

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 12, minute));

describe('recent people', () => {
  it('puts the most recent first, with the number of games and the date of the last', () => {
    addRecentPerson({ userId: 'a', username: 'ada' }, at(1));
    addRecentPerson({ userId: 'b', username: 'bob' }, at(2));
    addRecentPerson({ userId: 'a', username: 'ada', displayName: 'Ada L', profileUrl: '/ada.webp' }, at(3));
    expect(recentPeople()).toEqual([
      {
        userId: 'a',
        username: 'ada',
        displayName: 'Ada L',
        profileUrl: '/ada.webp',
        lastPlayed: '2026-01-01T12:03:00.000Z',
        playCount: 2,
      },
      { userId: 'b', username: 'bob', lastPlayed: '2026-01-01T12:02:00.000Z', playCount: 1 },
    ]);
  });

  it('keeps 10 under morpion_recent_people', () => {
    expect([RECENT_PEOPLE_KEY, RECENT_PEOPLE_CAP]).toEqual(['morpion_recent_people', 10]);
    for (let n = 0; n < 12; n += 1) addRecentPerson({ userId: `u${n}`, username: `n${n}` }, at(n));
    expect(recentPeople().map(({ userId }) => userId)).toEqual([
      'u11',
      'u10',
      'u9',
      'u8',
      'u7',
      'u6',
      'u5',
      'u4',
      'u3',
      'u2',
    ]);
  });

  it('forgets removed people', () => {
    addRecentPerson({ userId: 'a', username: 'ada' });
    removeRecentPerson('a');
    expect(recentPeople()).toEqual([]);
  });

  it('ignores invalid stored data', () => {
    for (const text of ['{', '7', '[1, {"userId": 3}]']) {
      localStorage.setItem(RECENT_PEOPLE_KEY, text);
      expect(recentPeople()).toEqual([]);
    }
  });
});
