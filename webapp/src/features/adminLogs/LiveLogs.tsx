import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { type LogEntry, type LogFilter, logsApi } from '@/api/logs';
import { useRealtime } from '@/realtime/RealtimeContext';
import { EmptyDrawing } from '@/shared/illustrations';
import { LoadFailure } from '@/shared/ui/LoadFailure';
import { Highlight } from './Highlight';
import { FollowIcon, PauseIcon, UpIcon } from './icons';
import { LEVEL_LABELS, LevelMark } from './levels';
import { isNewer, LiveLog, type LiveView, MAX_RECORDS } from './liveLog';
import classes from './LiveLogs.module.css';
import { LogDetail } from './LogDetail';
import { updateFilters, toLogFilter, type LogFilters } from './logFilters';
import { count, lineOf, timeOfDay } from './logFormat';
import { buttonOf, RECORD_ATTRIBUTE, useRecordNavigation } from './useRecordNavigation';
import { useLogKeys } from './useLogKeys';
import { useAppDispatch } from '@/shared/storeHooks';

/** Row heights in px: one line, on narrow screens two; both large enough for touch. */
const ROW = 44;
const NARROW_ROW = 60;
const NARROW = '(max-width: 700px)';

/** Distance from the end of the list, in rows, at which older records are loaded. */
const NEAR_END = 10;

interface LiveLogsProps {
  filters: LogFilters;
  setFilters: (change: Partial<LogFilters>) => void;
  /** The end of the range when following began, in Unix milliseconds. */
  now: number;
  keysOn: boolean;
}

/** The live log, newest on top; it pauses while the user reads. */
export function LiveLogs({ filters, setFilters, now, keysOn }: LiveLogsProps) {
  const [attempt, setAttempt] = useState(0);
  const filter = toLogFilter(updateFilters(filters, { at: '', until: '' }), now);
  const { log, view } = useLiveLog(filter, attempt);
  /** The records shown while paused. */
  const [held, setHeld] = useState<readonly LogEntry[] | null>(null);
  /** Paused by the button; otherwise it pauses when scrolled away from the top. */
  const [isPaused, setPaused] = useState(false);
  const shown = held ?? view.records;
  const list = useRef<HTMLDivElement>(null);

  const hold = () => setHeld((known) => known ?? view.records);
  const pause = () => {
    hold();
    setPaused(true);
  };
  const follow = () => {
    setHeld(null);
    setPaused(false);
    if (list.current !== null) list.current.scrollTop = 0;
  };
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
  // eslint-disable-next-line react-hooks/incompatible-library -- its results stay in this component, which is not memoized
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

  if (view.following === 'refused') {
    return <LoadFailure text={view.refusal ?? 'Failed to follow the log'} onRetry={() => setAttempt(attempt + 1)} />;
  }
  return (
    <section className={classes.live} aria-label="Live logs">
      <div className={classes.bar}>
        <State view={view} isHeld={held !== null} />
        <span className={classes.rate}>{count(view.rate)} a second</span>
        <Button
          variant="default"
          leftSection={held === null ? <PauseIcon /> : <FollowIcon />}
          onClick={held === null ? pause : follow}
        >
          {held === null ? 'Pause' : 'Resume'}
        </Button>
      </div>
      {view.isHurried && (
        <p className={classes.note}>
          Records arrive faster than the server tells of each. Those left out appear here once it is calm.
        </p>
      )}
      <div className={classes.sheet}>
        {held !== null && <Waiting arrived={arrivedSince(held, view.records)} onFollow={follow} />}
        {shown.length === 0 ? (
          <div className={classes.empty}>
            <EmptyDrawing className={classes.drawing} />
            <p>{view.following === 'live' ? 'No error logs found' : 'Loading logs...'}</p>
            {view.following === 'live' && <p>New ones appear here as they are written.</p>}
          </div>
        ) : (
          <div ref={list} className={classes.list} onScroll={onScroll} role="region" aria-label="Newest logs">
            <ul style={{ height: rows.getTotalSize() }}>
              {rows.getVirtualItems().map(({ key, index, start, size }) => {
                const record = shown[index];
                if (record === undefined) return null;
                return (
                  <li
                    key={key}
                    className={classes.row}
                    data-level={record.level}
                    style={{ height: size, transform: `translateY(${start}px)` }}
                  >
                    <Row record={record} wanted={filters.text} onOpen={open} />
                  </li>
                );
              })}
            </ul>
          </div>
        )}
      </div>
      {shown.length >= MAX_RECORDS && (
        <p className={classes.note}>The newest {count(MAX_RECORDS)} are kept here; the whole log is in the pages.</p>
      )}
      <LogDetail id={filters.record} records={shown} wanted={filters.text} onOpen={open} onClose={close} />
    </section>
  );
}

function Row({ record, wanted, onOpen }: { record: LogEntry; wanted: string; onOpen: (id: string) => void }) {
  const { _id, level, service, timestamp, message, context } = record;
  return (
    <>
      <time dateTime={timestamp}>{timeOfDay(timestamp)}</time>
      <LevelMark level={level} />
      <span className="visually-hidden">{LEVEL_LABELS[level].one}</span>
      <span className={classes.service}>{service}</span>
      <button type="button" {...{ [RECORD_ATTRIBUTE]: _id }} onClick={() => onOpen(_id)}>
        <Highlight text={message} wanted={wanted} />
        {context !== undefined && (
          <span className={classes.context}>
            {' '}
            <Highlight text={lineOf(context)} wanted={wanted} />
          </span>
        )}
      </button>
    </>
  );
}

function State({ view, isHeld }: { view: LiveView; isHeld: boolean }) {
  const state =
    view.following === 'waiting'
      ? 'Reconnecting…'
      : isHeld
        ? 'Paused'
        : view.following === 'live'
          ? 'Live'
          : 'Catching up…';
  return (
    <p className={classes.state} data-state={isHeld ? 'held' : view.following} role="status">
      {state}
    </p>
  );
}

/** How many records arrived since the list was paused, and a button that shows them. */
function Waiting({ arrived, onFollow }: { arrived: number; onFollow: () => void }) {
  if (arrived === 0) return null;
  const told = arrived >= MAX_RECORDS ? `${count(MAX_RECORDS)}+` : count(arrived);
  return (
    <button type="button" className={classes.pill} onClick={onFollow}>
      <UpIcon />
      {told} new {arrived === 1 ? 'record' : 'records'}
    </button>
  );
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
