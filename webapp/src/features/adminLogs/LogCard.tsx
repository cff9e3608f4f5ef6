import type { LogEntry } from '@/api/logs';
import wholeRow from '@/shared/ui/wholeRow.module.css';
import { Highlight } from './Highlight';
import { LEVEL_LABELS, LevelMark } from './levels';
import classes from './LogCard.module.css';
import { excerpt, lineOf, timeOf } from './logFormat';
import { RECORD_ATTRIBUTE } from './useRecordNavigation';

interface LogCardProps {
  record: LogEntry;
  /** The search term. */
  wanted: string;
  onOpen: (id: string) => void;
}

/** A record in the list; the details open on click. */
export function LogCard({ record, wanted, onOpen }: LogCardProps) {
  const { _id, level, service, platform, message, timestamp, fileName } = record;
  return (
    <li className={classes.card} data-level={level}>
      <div className={classes.head}>
        <span className={classes.level} data-level={level}>
          <LevelMark level={level} />
          {LEVEL_LABELS[level].one}
        </span>
        <span className={classes.service}>{service}</span>
        {platform !== 'server' && <span className={classes.platform}>{platform}</span>}
        {fileName !== undefined && (
          <span className={classes.file}>
            <Highlight text={fileName} wanted={wanted} />
          </span>
        )}
        <time className={classes.time} dateTime={timestamp}>
          {timeOf(timestamp)}
        </time>
      </div>
      <button
        type="button"
        className={`${wholeRow.button} ${classes.message}`}
        {...{ [RECORD_ATTRIBUTE]: _id }}
        onClick={() => onOpen(_id)}
      >
        <span>
          <Highlight text={message} wanted={wanted} />
        </span>
      </button>
      <p className={classes.more}>
        <Highlight text={moreOf(record, wanted)} wanted={wanted} />
      </p>
    </li>
  );
}

/** One line of the context: the part with the search term, if the message does not contain it. */
function moreOf({ message, context = '', stack = '' }: LogEntry, wanted: string): string {
  const has = (text: string) => text.toLowerCase().includes(wanted.toLowerCase());
  if (wanted !== '' && !has(message) && !has(context) && has(stack)) return excerpt(stack, wanted);
  return excerpt(lineOf(context), wanted);
}
