import { useState } from 'react';
import type { GetLogs, LogFilter } from '@/api/logs';
import { useSearchFilters } from '@/shared/useSearchFilters';
import { type LevelFilter, LEVELS, PROBLEM_LEVELS, PROBLEMS } from './levels';

/** Records of a page. */
export const PAGE = 10;

const MINUTE = 60_000;

/** Time ranges that end now, by their names in the URL; in milliseconds. */
export const RANGES = {
  '15m': { label: 'Last 15 minutes', ms: 15 * MINUTE },
  '1h': { label: 'Last hour', ms: 60 * MINUTE },
  '24h': { label: 'Last 24 hours', ms: 24 * 60 * MINUTE },
  '7d': { label: 'Last 7 days', ms: 7 * 24 * 60 * MINUTE },
} satisfies Record<string, { label: string; ms: number }>;

export type Range = keyof typeof RANGES;

/** What the log page shows, as the URL keeps it. An empty text does not filter. */
export interface LogFilters {
  text: string;
  level: LevelFilter;
  service: string;
  platform: string;
  userId: string;
  sessionId: string;
  requestId: string;
  range: Range | '';
  /** ISO 8601 in UTC; only without a `range`. */
  since: string;
  until: string;
  order: 'desc' | 'asc';
  /** Counted from 1. */
  page: number;
  /** The newest timestamp of the first page: later pages count from it while new records arrive. */
  at: string;
  isLive: boolean;
  /** The id of the open record. */
  record: string;
}

export const NO_FILTERS: LogFilters = {
  text: '',
  level: '',
  service: '',
  platform: '',
  userId: '',
  sessionId: '',
  requestId: '',
  range: '',
  since: '',
  until: '',
  order: 'desc',
  page: 1,
  at: '',
  isLive: false,
  record: '',
};

const NAMES = {
  text: 'q',
  level: 'level',
  service: 'service',
  platform: 'platform',
  userId: 'user',
  sessionId: 'session',
  requestId: 'request',
  range: 'range',
  since: 'since',
  until: 'until',
  order: 'order',
  page: 'page',
  at: 'at',
  isLive: 'live',
  record: 'record',
} satisfies Record<keyof LogFilters, string>;

export const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** In the URL, where an absent level could mean the page as it opens. */
const ALL_LEVELS = 'all';

/** Reads the filters from the URL; invalid values are ignored. Without any, the page opens on warnings and errors. */
export function parseFilters(params: URLSearchParams): LogFilters {
  const text = (name: keyof LogFilters) => params.get(NAMES[name]) ?? '';
  const time = (name: keyof LogFilters) => (Number.isNaN(Date.parse(text(name))) ? '' : text(name));
  const level = text('level');
  const range = text('range');
  const hasRange = Object.hasOwn(RANGES, range);
  return {
    text: text('text'),
    level: params.size === 0 ? PROBLEMS : (([...LEVELS, PROBLEMS] as const).find((each) => each === level) ?? ''),
    service: text('service'),
    platform: text('platform'),
    userId: UUID.test(text('userId')) ? text('userId') : '',
    sessionId: text('sessionId'),
    requestId: text('requestId'),
    range: hasRange ? (range as Range) : '',
    since: hasRange ? '' : time('since'),
    until: hasRange ? '' : time('until'),
    order: text('order') === 'asc' ? 'asc' : 'desc',
    page: Math.max(1, Math.trunc(Number(text('page'))) || 1),
    at: time('at'),
    isLive: text('isLive') === '1',
    record: text('record'),
  };
}

/** The filters as a URL's search, for links. */
export function toSearch(filters: LogFilters): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(filters) as [keyof LogFilters, LogFilters[keyof LogFilters]][]) {
    if (value !== NO_FILTERS[name]) params.set(NAMES[name], value === true ? '1' : String(value));
  }
  if (params.size === 0) params.set(NAMES.level, ALL_LEVELS);
  return `?${params.toString()}`;
}

/** Whether a change selects other records, rather than another page or record of the same ones. */
function selectsOtherRecords({ page, at, record, ...others }: Partial<LogFilters>): boolean {
  return Object.keys(others).length > 0;
}

/** Applies a change; another filter starts on its first page with no record open. */
export function updateFilters(filters: LogFilters, change: Partial<LogFilters>): LogFilters {
  return { ...filters, ...(selectsOtherRecords(change) ? { page: 1, at: '', record: '' } : {}), ...change };
}

/** The filter that the API takes; a range ends at `now` (Unix milliseconds). */
export function toLogFilter(filters: LogFilters, now: number): LogFilter {
  const { text, level, service, platform, userId, sessionId, requestId, range, since, until, at } = filters;
  const from = range === '' ? since : new Date(now - RANGES[range].ms).toISOString();
  const to = [until, at].filter((each) => each !== '').sort((a, b) => Date.parse(a) - Date.parse(b))[0];
  return {
    ...(text === '' ? {} : { text }),
    ...(level === '' ? {} : { level: level === PROBLEMS ? [...PROBLEM_LEVELS] : level }),
    ...(service === '' ? {} : { service }),
    ...(platform === '' ? {} : { platform }),
    ...(userId === '' ? {} : { userId }),
    ...(sessionId === '' ? {} : { sessionId }),
    ...(requestId === '' ? {} : { requestId }),
    ...(from === '' ? {} : { since: from }),
    ...(to === undefined ? {} : { until: to }),
  };
}

/** The API request for the current page. */
export function toPageRequest(filters: LogFilters, now: number): GetLogs {
  const filter = toLogFilter(filters, now);
  return { filter, page: filters.page, limit: PAGE, sortOrder: filters.order };
}

/** Whether anything is filtered; order, page and open record do not count. */
export function hasActiveFilters({ order, page, at, isLive, record, ...filters }: LogFilters): boolean {
  return Object.values(filters).some((value) => value !== '');
}

/** The filters are kept in the URL, so that Back, reloading and a shared link preserve them. */
export function useLogFilters() {
  const { filters, latest, show } = useSearchFilters(parseFilters, toSearch);
  // A range ends at a fixed time until the page is refreshed.
  const [now, setNow] = useState(() => Date.now());
  const setFilters = (change: Partial<LogFilters>, { replaces = false } = {}) => {
    const filters = latest();
    if (selectsOtherRecords(change)) setNow(Date.now());
    // While typing, or stepping from record to record, Back returns to where that began.
    const isTypingOn = filters.text !== '' && change.text !== undefined && change.text !== '';
    const isSteppingThrough = filters.record !== '' && change.record !== undefined && change.record !== '';
    show(updateFilters(filters, change), {
      replace: replaces || isTypingOn || isSteppingThrough,
      preventScrollReset: change.page === undefined,
    });
  };
  return { filters, setFilters, now, refresh: () => setNow(Date.now()) };
}
