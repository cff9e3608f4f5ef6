import { describe, expect, it } from 'vitest';
import { changed, filterOf, isNarrowed, type LogWishes, NO_WISHES, pageOf, searchOf, wishesOf } from './logWishes';

const ID = '0195a6a2-1111-7111-8111-00000000abcd';
const NOW = Date.parse('2026-11-21T10:00:00Z');

const ALL: LogWishes = {
  text: 'a & b',
  level: 'warning',
  service: 'store',
  platform: 'web',
  userId: ID,
  sessionId: 's 1',
  requestId: ID,
  range: '1h',
  since: '',
  until: '',
  order: 'asc',
  page: 3,
  at: '2026-11-21T09:00:00Z',
  isLive: true,
  record: '1-7',
};

describe('what the URL says', () => {
  it('is what was wished for', () => {
    expect(wishesOf(new URLSearchParams(searchOf(ALL)))).toEqual(ALL);
    const times = { ...NO_WISHES, since: '2026-11-20T00:00:00Z', until: '2026-11-21T00:00:00Z' };
    expect(wishesOf(new URLSearchParams(searchOf(times)))).toEqual(times);
    expect(searchOf(NO_WISHES)).toBe('');
  });

  it('is passed over where it makes no sense', () => {
    const nonsense = 'level=loud&user=me&range=ever&since=noon&until=x&order=up&page=-2&at=y&live=2';
    expect(wishesOf(new URLSearchParams(nonsense))).toEqual(NO_WISHES);
  });
});

describe('a change', () => {
  it('of a filter begins at the first page', () => {
    expect(changed(ALL, { level: '' })).toEqual({ ...ALL, level: '', page: 1, at: '', record: '' });
  });

  it('of the page, or of the record that is looked at, keeps the rest', () => {
    expect(changed(ALL, { record: '1-8' })).toEqual({ ...ALL, record: '1-8' });
    expect(changed(ALL, { page: 4 })).toEqual({ ...ALL, page: 4 });
  });
});

describe('the filter', () => {
  it('has what was chosen alone', () => {
    expect(filterOf(NO_WISHES, NOW)).toEqual({});
    expect(filterOf(ALL, NOW)).toEqual({
      text: 'a & b',
      level: 'warning',
      service: 'store',
      platform: 'web',
      userId: ID,
      sessionId: 's 1',
      requestId: ID,
      since: '2026-11-21T09:00:00.000Z',
      until: '2026-11-21T09:00:00Z',
    });
  });

  it('ends where the pages were counted from, or before', () => {
    const at = '2026-11-21T09:00:00Z';
    expect(filterOf({ ...NO_WISHES, at, until: '2026-11-21T08:00:00Z' }, NOW).until).toBe('2026-11-21T08:00:00Z');
    expect(filterOf({ ...NO_WISHES, at, until: '2026-11-22T08:00:00Z' }, NOW).until).toBe(at);
  });

  it('is asked for ten records at a time', () => {
    expect(pageOf({ ...NO_WISHES, page: 2 }, NOW)).toEqual({ filter: {}, page: 2, limit: 10, sortOrder: 'desc' });
  });

  it('narrows, unlike order and page', () => {
    expect(isNarrowed({ ...NO_WISHES, order: 'asc', page: 2, isLive: true, record: '1-1', at: 'x' })).toBe(false);
    expect(isNarrowed({ ...NO_WISHES, sessionId: 's' })).toBe(true);
  });
});
