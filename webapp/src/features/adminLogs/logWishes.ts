import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { GetLogs, LogFilter, LogLevel } from '@/api/logs';
import { LEVELS } from './levels';

/** Records of a page. */
export const PAGE = 10;

const MINUTE = 60_000;

/** Times that end now, by their names in the URL; in milliseconds. */
export const RANGES = {
  '15m': { label: 'Last 15 minutes', ms: 15 * MINUTE },
  '1h': { label: 'Last hour', ms: 60 * MINUTE },
  '24h': { label: 'Last 24 hours', ms: 24 * 60 * MINUTE },
  '7d': { label: 'Last 7 days', ms: 7 * 24 * 60 * MINUTE },
} satisfies Record<string, { label: string; ms: number }>;

export type Range = keyof typeof RANGES;

/** What an admin wants to see of the log; empty texts do not filter. */
export interface LogWishes {
  text: string;
  level: LogLevel | '';
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
  /** The newest time on the first page, from which later pages go on counting while new records arrive. */
  at: string;
  isLive: boolean;
  /** The id of the record that is looked at. */
  record: string;
}

export const NO_WISHES: LogWishes = {
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
} satisfies Record<keyof LogWishes, string>;

export const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** What the URL says; what makes no sense in it is left out. */
export function wishesOf(params: URLSearchParams): LogWishes {
  const text = (wish: keyof LogWishes) => params.get(NAMES[wish]) ?? '';
  const time = (wish: keyof LogWishes) => (Number.isNaN(Date.parse(text(wish))) ? '' : text(wish));
  const level = text('level');
  const range = text('range');
  const hasRange = Object.hasOwn(RANGES, range);
  return {
    text: text('text'),
    level: LEVELS.find((each) => each === level) ?? '',
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

/** The wishes as a URL has them, for links. */
export function searchOf(wishes: LogWishes): string {
  const params = new URLSearchParams();
  for (const [wish, value] of Object.entries(wishes) as [keyof LogWishes, LogWishes[keyof LogWishes]][]) {
    if (value !== NO_WISHES[wish]) params.set(NAMES[wish], value === true ? '1' : String(value));
  }
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}

/** Whether a change is about more than which of the same records is looked at. */
function isElsewhere({ page, at, record, ...others }: Partial<LogWishes>): boolean {
  return Object.keys(others).length > 0;
}

/** The wishes changed; another filter starts at its first page, with nothing looked at. */
export function changed(wishes: LogWishes, change: Partial<LogWishes>): LogWishes {
  return { ...wishes, ...(isElsewhere(change) ? { page: 1, at: '', record: '' } : {}), ...change };
}

/** The filters among the wishes; `now` in Unix milliseconds is where a range ends. */
export function filterOf(wishes: LogWishes, now: number): LogFilter {
  const { text, level, service, platform, userId, sessionId, requestId, range, since, until, at } = wishes;
  const from = range === '' ? since : new Date(now - RANGES[range].ms).toISOString();
  const to = [until, at].filter((each) => each !== '').sort((a, b) => Date.parse(a) - Date.parse(b))[0];
  return {
    ...(text === '' ? {} : { text }),
    ...(level === '' ? {} : { level }),
    ...(service === '' ? {} : { service }),
    ...(platform === '' ? {} : { platform }),
    ...(userId === '' ? {} : { userId }),
    ...(sessionId === '' ? {} : { sessionId }),
    ...(requestId === '' ? {} : { requestId }),
    ...(from === '' ? {} : { since: from }),
    ...(to === undefined ? {} : { until: to }),
  };
}

/** How the page that is wished for is asked for. */
export function pageOf(wishes: LogWishes, now: number): GetLogs {
  const filter = filterOf(wishes, now);
  return { filter, page: wishes.page, limit: PAGE, sortOrder: wishes.order };
}

/** What of the wishes filters; order, page and place aside. */
export function isNarrowed({ order, page, at, isLive, record, ...filters }: LogWishes): boolean {
  return Object.values(filters).some((value) => value !== '');
}

/** The wishes live in the URL, so that Back, reloading and a shared link keep them. */
export function useLogWishes() {
  const [params, setParams] = useSearchParams();
  const wishes = wishesOf(params);
  // A range ends at the moment from which it is counted, until somebody refreshes.
  const [now, setNow] = useState(() => Date.now());
  // A wish may come before the page shows the last one: it goes on from there.
  const latest = useRef(wishes);
  const shown = params.toString();
  useEffect(() => {
    latest.current = wishesOf(new URLSearchParams(shown));
  }, [shown]);
  const wish = (change: Partial<LogWishes>, { replaces = false } = {}) => {
    const wishes = latest.current;
    latest.current = changed(wishes, change);
    if (isElsewhere(change)) setNow(Date.now());
    // While somebody types on, or goes from record to record, Back leads to where they began.
    const isTypingOn = wishes.text !== '' && change.text !== undefined && change.text !== '';
    const isLeafing = wishes.record !== '' && change.record !== undefined && change.record !== '';
    setParams(searchOf(latest.current), {
      replace: replaces || isTypingOn || isLeafing,
      preventScrollReset: change.page === undefined,
    });
  };
  return { wishes, wish, now, refresh: () => setNow(Date.now()) };
}
