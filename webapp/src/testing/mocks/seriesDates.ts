/** The dates of a series: the server follows RFC 5545 whole, the mock the parts that people choose. */

import type { components } from '@/api/schema';
import { Refusal } from './refusal';

type Schemas = components['schemas'];

const DAY_MS = 24 * 3_600_000;
const DAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];
/** Ten years of days, as on the server. */
const MOST_DAYS = 3_660;
const MAX_RULE = 200;

export interface Schedule {
  firstStart: string;
  timeZone: string;
  rule: string;
}

/** What is wrong with a schedule, by field. */
export function scheduleErrors({ firstStart, timeZone, rule }: Schedule): Record<string, string> {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(firstStart) || Number.isNaN(Date.parse(`${firstStart}Z`))) {
    const text = 'The first start is a date and a time of day, such as 2027-03-05T19:00.';
    return { firstStart: text };
  }
  if (!isZone(timeZone)) return { timeZone: 'This is no time zone of the IANA’s list, such as Europe/Berlin.' };
  const error = ruleError(rule);
  return error === undefined ? {} : { rule: error };
}

function ruleError(rule: string): string | undefined {
  if (rule.length > MAX_RULE || !/^[\w=;,+:-]*$/.test(rule)) {
    return `A rule has at most ${MAX_RULE} letters, digits and signs of an RRULE, and no spaces.`;
  }
  const parts = partsOf(rule);
  const frequency = parts.get('FREQ') ?? '';
  if (parts.has('BYHOUR') || parts.has('BYMINUTE') || parts.has('BYSECOND')) {
    return 'The time of day is that of the first start; the rule names none.';
  }
  if (['HOURLY', 'MINUTELY', 'SECONDLY'].includes(frequency)) return 'The rule repeats at most daily.';
  if (!['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'].includes(frequency)) return 'This is no RRULE.';
  return undefined;
}

function isZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    return timeZone !== '';
  } catch {
    return false;
  }
}

export function mustBeSchedule(schedule: Schedule): void {
  const errors = scheduleErrors(schedule);
  const [text] = Object.values(errors);
  if (text !== undefined) throw new Refusal(422, 'invalid', text, errors);
}

/** As it is stored. */
export const storedRule = (rule: string) =>
  rule
    .trim()
    .toUpperCase()
    .replace(/^RRULE:/, '');

const partsOf = (rule: string) =>
  new Map(
    storedRule(rule)
      .split(';')
      .map((part) => part.split('=', 2) as [string, string]),
  );

/** The dates after a moment, at most so many. */
export function datesOf(schedule: Schedule, after: number, most: number): Schemas['SeriesDate'][] {
  const { firstStart, timeZone } = schedule;
  const first = Date.parse(`${firstStart.slice(0, 10)}T00:00:00Z`);
  const parts = partsOf(schedule.rule);
  let left = Number(parts.get('COUNT') ?? Infinity);
  const until = parts.get('UNTIL')?.slice(0, 8) ?? '99999999';
  const found: Schemas['SeriesDate'][] = [];
  for (let nth = 0; nth < MOST_DAYS && found.length < most && left > 0; nth += 1) {
    const day = new Date(first + nth * DAY_MS);
    const date = day.toISOString().slice(0, 10);
    if (date.replaceAll('-', '') > until) break;
    if (!fits(parts, new Date(first), day)) continue;
    left -= 1;
    const at = instantIn(timeZone, `${date}T${firstStart.slice(11)}`);
    if (at > after) found.push({ date, startsAt: new Date(at).toISOString().replace('.000Z', 'Z') });
  }
  return found;
}

/** Whether a rule has this day. */
function fits(parts: Map<string, string>, first: Date, day: Date): boolean {
  const interval = Number(parts.get('INTERVAL') ?? 1);
  const named = parts.get('BYDAY')?.split(',');
  const days = Math.round((day.getTime() - first.getTime()) / DAY_MS);
  const months = (day.getUTCFullYear() - first.getUTCFullYear()) * 12 + day.getUTCMonth() - first.getUTCMonth();
  const name = DAYS[day.getUTCDay()] ?? '';
  switch (parts.get('FREQ')) {
    case 'DAILY':
      return days % interval === 0 && (named?.includes(name) ?? true);
    case 'WEEKLY': {
      // Weeks begin on Monday.
      const weeks = Math.floor((days + ((first.getUTCDay() + 6) % 7)) / 7);
      return weeks % interval === 0 && (named ?? [DAYS[first.getUTCDay()]]).includes(name);
    }
    case 'MONTHLY': {
      if (months % interval !== 0) return false;
      if (named === undefined) return day.getUTCDate() === first.getUTCDate();
      const nth = Math.ceil(day.getUTCDate() / 7);
      const length = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 0)).getUTCDate();
      const isLast = day.getUTCDate() + 7 > length;
      return named.some((each) => each === name || each === `${nth}${name}` || (isLast && each === `-1${name}`));
    }
    default:
      return months % (12 * interval) === 0 && day.getUTCDate() === first.getUTCDate();
  }
}

/** The moment of a local time in a zone; of one that comes twice the first, of one that does not exist by the clock before. */
function instantIn(timeZone: string, local: string): number {
  const asUtc = Date.parse(`${local}:00Z`);
  const before = asUtc - offsetAt(timeZone, asUtc - DAY_MS);
  if (before + offsetAt(timeZone, before) === asUtc) return before;
  const after = asUtc - offsetAt(timeZone, asUtc + DAY_MS);
  return after + offsetAt(timeZone, after) === asUtc ? after : before;
}

/** How far a zone is from UTC, in milliseconds. */
function offsetAt(timeZone: string, at: number): number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  });
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute) - Math.floor(at / 60_000) * 60_000;
}
