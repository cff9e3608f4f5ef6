import { instantsOf } from '@/shared/eventDesk/localTime';
import type { LogFilter } from '@/api/logs';
import { UUID } from './logFilters';

const number = new Intl.NumberFormat();
const share = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });

/** `1,234`. */
export const count = (value: number): string => number.format(value);

/** `1,234 records`. */
export const records = (value: number): string => (value === 1 ? '1 record' : `${count(value)} records`);

/** 0 to 1 as `2.5%`. */
export const percent = (value: number): string => share.format(value);

const CLOCK = {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  hourCycle: 'h23',
} as const;
const clock = new Intl.DateTimeFormat(undefined, CLOCK);
const dayAndClock = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', ...CLOCK });
const wholeTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'medium' });

/** `16:32:08.123`. */
export const timeOfDay = (iso: string): string => clock.format(new Date(iso));

/** `16:32:08.123` of today, `Nov 20, 16:32:08.123` of another day. */
export function timeOf(iso: string, now: Date = new Date()): string {
  const at = new Date(iso);
  return (at.toDateString() === now.toDateString() ? clock : dayAndClock).format(at);
}

/** `Saturday, November 21, 2026 at 4:32:08 PM`. */
export const fullTime = (iso: string): string => wholeTime.format(new Date(iso));

/**
 * The server scans this many records (48 chunks of 1,024) beyond those of a page to count the matches; then it reports
 * at least one more.
 */
const COUNTED = 49_152;

/** Whether a total is a lower bound: matches of a rare text in a long log are not counted to the end. */
export function isLowerBound(filter: LogFilter, hasNextPage: boolean, stored: number): boolean {
  const looksInside = [filter.text, filter.userId, filter.sessionId, filter.requestId].some(
    (each) => each !== undefined,
  );
  return hasNextPage && looksInside && stored > COUNTED;
}

export interface Field {
  name: string;
  value: string;
}

/** The context of a record: the fields of its JSON or of its `name=value` pairs, or plain text. */
export function contextOf(context: string): Field[] | string {
  try {
    const parsed: unknown = JSON.parse(context);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) {
      return Object.entries(parsed).map(([name, value]) => ({
        name,
        value: typeof value === 'string' ? value : JSON.stringify(value, null, 2),
      }));
    }
  } catch {
    // Not JSON.
  }
  if (!/^[\w.]+=/.test(context)) return context;
  return context.split(/\s(?=[\w.]+=)/).map((pair) => {
    const at = pair.indexOf('=');
    return { name: pair.slice(0, at), value: pair.slice(at + 1) };
  });
}

/** The context in one line of `name=value` pairs. */
export function lineOf(context: string): string {
  const fields = contextOf(context);
  return typeof fields === 'string' ? fields : fields.map(({ name, value }) => `${name}=${value}`).join(' ');
}

/** Splits a text at the matches of a search, ignoring case: every second part is a match. */
export function partsOf(text: string, wanted: string): string[] {
  if (wanted === '') return [text];
  return text.split(new RegExp(`(${wanted.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&')})`, 'gi'));
}

/** Characters shown before the first match. */
const LEAD = 40;

/** The part of a long text around the first match, in one line. */
export function excerpt(text: string, wanted: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  const at = line.toLowerCase().indexOf(wanted.toLowerCase());
  return wanted === '' || at <= LEAD ? line : `…${line.slice(at - LEAD)}`;
}

const PASTED_ID = new RegExp(`^\\(?\\s*(?:(?:request|reference)\\s+)?(${UUID.source.slice(1, -1)})\\s*\\)?$`, 'i');

/** The id pasted into the search, possibly within the error text that showed it: `(Request 0195…)`. */
export function pastedId(text: string): string | undefined {
  return PASTED_ID.exec(text.trim())?.[1]?.toLowerCase();
}

/** `YYYY-MM-DDTHH:mm:ss` in the local time zone, as the browser's input wants it; empty for none. */
export function toLocalField(iso: string): string {
  if (iso === '') return '';
  const at = new Date(iso);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

/** The instant of such a time: of an hour that comes twice the first one, or the last one, so that a range has both. */
export function fromLocalField(value: string, end: 'from' | 'to' = 'from'): string {
  const at = new Date(value);
  if (value === '' || Number.isNaN(at.getTime())) return '';
  const instant = end === 'to' ? instantsOf(toLocalField(at.toISOString()).replace('T', ' ')).at(-1) : undefined;
  return instant === undefined ? at.toISOString() : new Date(instant).toISOString();
}
