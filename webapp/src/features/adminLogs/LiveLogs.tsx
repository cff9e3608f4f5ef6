import { Button } from '@mantine/core';
import { EmptyDrawing } from '@/shared/illustrations';
import { LoadFailure } from '@/shared/ui/LoadFailure';
import type { LogEntry } from '@/api/logs';
import wholeRow from '@/shared/ui/wholeRow.module.css';
import { Highlight } from './Highlight';
import { FollowIcon, PauseIcon, UpIcon } from './icons';
import { LEVEL_LABELS, LevelMark } from './levels';
import { type LiveView, MAX_RECORDS } from './liveLog';
import classes from './LiveLogs.module.css';
import { LogDetail } from './LogDetail';
import { count, lineOf, timeOfDay } from './logFormat';
import { type LiveLogsProps, type LiveLogsState, useLiveLogs } from './useLiveLogs';
import { RECORD_ATTRIBUTE } from './useRecordNavigation';

/** The live log, newest on top; it pauses while the user reads. */
export function LiveLogs(props: LiveLogsProps) {
  const { record, text } = props.filters;
  const live = useLiveLogs(props);
  const { view, shown, isHeld, arrived, pause, follow, open, close, retry } = live;
  if (view.following === 'refused') {
    return <LoadFailure text={view.refusal ?? 'Failed to follow the log'} onRetry={retry} />;
  }
  return (
    <section className={classes.live} aria-label="Live logs">
      <div className={classes.bar}>
        <State view={view} isHeld={isHeld} />
        <span className={classes.rate}>{count(view.rate)} a second</span>
        <Button
          variant="default"
          leftSection={isHeld ? <FollowIcon /> : <PauseIcon />}
          onClick={isHeld ? follow : pause}
        >
          {isHeld ? 'Resume' : 'Pause'}
        </Button>
      </div>
      {view.isHurried && (
        <p className={classes.note}>
          Records are arriving faster than they can be sent. The missing ones appear here when it slows down.
        </p>
      )}
      <div className={classes.sheet}>
        <Waiting arrived={arrived} onFollow={follow} />
        {shown.length === 0 ? (
          <div className={classes.empty}>
            <EmptyDrawing className={classes.drawing} />
            <p>{view.following === 'live' ? 'No error logs found' : 'Loading logs...'}</p>
            {view.following === 'live' && <p>New ones appear here as they are written.</p>}
          </div>
        ) : (
          <RecordList live={live} wanted={text} />
        )}
      </div>
      {shown.length >= MAX_RECORDS && (
        <p className={classes.note}>The newest {count(MAX_RECORDS)} are kept here; the whole log is in the pages.</p>
      )}
      <LogDetail id={record} records={shown} wanted={text} onOpen={open} onClose={close} />
    </section>
  );
}

function RecordList({ live, wanted }: { live: LiveLogsState; wanted: string }) {
  const { shown, list, rows, onScroll, open } = live;
  return (
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
              <Row record={record} wanted={wanted} onOpen={open} />
            </li>
          );
        })}
      </ul>
    </div>
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
      <button type="button" className={wholeRow.button} {...{ [RECORD_ATTRIBUTE]: _id }} onClick={() => onOpen(_id)}>
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
