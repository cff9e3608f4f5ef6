import { describe, expect, it } from 'vitest';
import {
  updateFilters,
  toLogFilter,
  hasActiveFilters,
  type LogFilters,
  NO_FILTERS,
  toPageRequest,
  toSearch,
  parseFilters,
} from './logFilters';

const ID = '0195a6a2-1111-7111-8111-00000000abcd';
const NOW = Date.parse('2026-11-21T10:00:00Z');

const ALL: LogFilters = {
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

describe('the filters in the URL', () => {
  it('round-trip', () => {
    expect(parseFilters(new URLSearchParams(toSearch(ALL)))).toEqual(ALL);
    const times = { ...NO_FILTERS, since: '2026-11-20T00:00:00Z', until: '2026-11-21T00:00:00Z' };
    expect(parseFilters(new URLSearchParams(toSearch(times)))).toEqual(times);
    expect(parseFilters(new URLSearchParams(toSearch(NO_FILTERS)))).toEqual(NO_FILTERS);
  });

  it('are warnings and errors where there are none', () => {
    const opened = parseFilters(new URLSearchParams());
    expect(opened).toEqual({ ...NO_FILTERS, level: 'problems' });
    expect(toLogFilter(opened, NOW)).toEqual({ level: ['error', 'warning'] });
    expect(parseFilters(new URLSearchParams(toSearch({ ...opened, text: 'x' })))).toEqual({ ...opened, text: 'x' });
    // A link to the records of a request shows all of them.
    expect(parseFilters(new URLSearchParams(`request=${ID}`)).level).toBe('');
  });

  it('are ignored where they are invalid', () => {
    const nonsense = 'level=loud&user=me&range=ever&since=noon&until=x&order=up&page=-2&at=y&live=2';
    expect(parseFilters(new URLSearchParams(nonsense))).toEqual(NO_FILTERS);
  });
});

describe('a change', () => {
  it('of a filter returns to the first page', () => {
    expect(updateFilters(ALL, { level: '' })).toEqual({ ...ALL, level: '', page: 1, at: '', record: '' });
  });

  it('of the page, or of the open record, keeps the rest', () => {
    expect(updateFilters(ALL, { record: '1-8' })).toEqual({ ...ALL, record: '1-8' });
    expect(updateFilters(ALL, { page: 4 })).toEqual({ ...ALL, page: 4 });
  });
});

describe('the filter', () => {
  it('has only what was chosen', () => {
    expect(toLogFilter(NO_FILTERS, NOW)).toEqual({});
    expect(toLogFilter(ALL, NOW)).toEqual({
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

  it('ends at the time of the first page, or earlier', () => {
    const at = '2026-11-21T09:00:00Z';
    expect(toLogFilter({ ...NO_FILTERS, at, until: '2026-11-21T08:00:00Z' }, NOW).until).toBe('2026-11-21T08:00:00Z');
    expect(toLogFilter({ ...NO_FILTERS, at, until: '2026-11-22T08:00:00Z' }, NOW).until).toBe(at);
  });

  it('is requested ten records at a time', () => {
    expect(toPageRequest({ ...NO_FILTERS, page: 2 }, NOW)).toEqual({
      filter: {},
      page: 2,
      limit: 10,
      sortOrder: 'desc',
    });
  });

  it('counts as active, unlike order and page', () => {
    expect(hasActiveFilters({ ...NO_FILTERS, order: 'asc', page: 2, isLive: true, record: '1-1', at: 'x' })).toBe(
      false,
    );
    expect(hasActiveFilters({ ...NO_FILTERS, sessionId: 's' })).toBe(true);
  });
});
