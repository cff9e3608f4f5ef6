import { useMediaQuery } from '@mantine/hooks';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { type LogEntry, type LogFilter, logsApi } from '@/api/logs';
import { useRealtime } from '@/realtime/RealtimeContext';
import { useAppDispatch } from '@/shared/storeHooks';
import { isNewer, LiveLog, MAX_RECORDS } from './liveLog';
import { type LogFilters, toLogFilter, updateFilters } from './logFilters';
import { useLogKeys } from './useLogKeys';
import { buttonOf, useRecordNavigation } from './useRecordNavigation';

/** Row heights in px: one line, on narrow screens two; both large enough for touch. */
const ROW = 44;
const NARROW_ROW = 60;
const NARROW = '(max-width: 700px)';

/** Distance from the end of the list, in rows, at which older records are loaded. */
const NEAR_END = 10;

export interface LiveLogsProps {
  filters: LogFilters;
  setFilters: (change: Partial<LogFilters>) => void;
  /** The end of the range when following began, in Unix milliseconds. */
  now: number;
  keysOn: boolean;
}

export type LiveLogsState = ReturnType<typeof useLiveLogs>;

/** State and actions of the live log: what is shown of it is in LiveLogs.tsx. */
export function useLiveLogs({ filters, setFilters, now, keysOn }: LiveLogsProps) {
  const [attempt, setAttempt] = useState(0);
  const { log, view } = useLiveLog(toLogFilter(updateFilters(filters, { at: '', until: '' }), now), attempt);
  const { list, held, setHeld, isPaused, hold, pause, follow } = useHeldRecords(view.records);
  const shown = held ?? view.records;

  const open = (record: string) => {
    hold();
    setFilters({ record });
  };
  const close = () => {
    const last = filters.record;
    setFilters({ record: '' });
    requestAnimationFrame(() => buttonOf(last)?.focus());
  };

  const rowHeight = useMediaQuery(NARROW) ? NARROW_ROW : ROW;
  // eslint-disable-next-line react-hooks/incompatible-library -- what uses its results is not memoized
  const rows = useVirtualizer({
    count: shown.length,
    getScrollElement: () => list.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => shown[index]?._id ?? index,
    overscan: 8,
  });
  const reveal = (index: number) => {
    hold();
    rows.scrollToIndex(index);
  };
  useRecordNavigation({ records: shown, open: filters.record, onOpen: open, reveal, keysOn });
  useLogKeys(
    {
      p: held === null ? pause : follow,
      Escape: () => {
        // The dialog closes by itself, and the list stays paused.
        if (filters.record !== '') return;
        if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
        follow();
      },
    },
    keysOn,
  );

  const onScroll = () => {
    const { scrollTop = 0 } = list.current ?? {};
    if (scrollTop > rowHeight / 2) hold();
    // Resumes at the top, unless a record is open or focused.
    const isReading = filters.record !== '' || list.current?.querySelector(':focus') !== null;
    if (scrollTop === 0 && held !== null && !isPaused && !isReading) follow();
    if ((rows.range?.endIndex ?? 0) >= shown.length - NEAR_END) {
      void log.older().then(() => {
        // A paused list grows only at its end.
        setHeld((known) => (known === null ? null : withOlder(known, log.view().records)));
      });
    }
  };

  return {
    view,
    shown,
    isHeld: held !== null,
    /** The number of records that arrived since the list was paused. */
    arrived: held === null ? 0 : arrivedSince(held, view.records),
    pause,
    follow,
    open,
    close,
    retry: () => setAttempt(attempt + 1),
    list,
    rows,
    onScroll,
  };
}

/** The list, and the records it shows while it is paused. */
function useHeldRecords(records: readonly LogEntry[]) {
  const list = useRef<HTMLDivElement>(null);
  const [held, setHeld] = useState<readonly LogEntry[] | null>(null);
  /** Paused by the button; otherwise it pauses when scrolled away from the top. */
  const [isPaused, setPaused] = useState(false);
  const hold = () => setHeld((known) => known ?? records);
  const pause = () => {
    hold();
    setPaused(true);
  };
  const follow = () => {
    setHeld(null);
    setPaused(false);
    if (list.current !== null) list.current.scrollTop = 0;
  };
  return { list, held, setHeld, isPaused, hold, pause, follow };
}

/** Both are sorted newest first. */
function arrivedSince(held: readonly LogEntry[], now: readonly LogEntry[]): number {
  const [newest] = held;
  if (newest === undefined) return now.length;
  const at = now.findIndex((record) => !isNewer(record, newest));
  return at === -1 ? now.length : at;
}

function withOlder(held: readonly LogEntry[], now: readonly LogEntry[]): readonly LogEntry[] {
  const oldest = held.at(-1);
  if (oldest === undefined) return held;
  const older = now.filter((record) => isNewer(oldest, record));
  return older.length === 0 ? held : [...held, ...older].slice(0, MAX_RECORDS);
}

function useLiveLog(filter: LogFilter, attempt: number) {
  const connection = useRealtime();
  const dispatch = useAppDispatch();
  const key = JSON.stringify(filter);
  const log = useMemo(
    () =>
      new LiveLog({
        filter: JSON.parse(key) as LogFilter,
        connection,
        ask: (wanted) =>
          dispatch(logsApi.endpoints.logs.initiate(wanted, { subscribe: false, forceRefetch: true })).unwrap(),
      }),
    // eslint-disable-next-line react-hooks/exhaustive-deps -- a new attempt needs a new log
    [key, connection, dispatch, attempt],
  );
  return { log, view: useSyncExternalStore(log.subscribe, log.view) };
}
