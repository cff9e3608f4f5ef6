import type { Event } from '@/api/events';
import { dateTime } from './times';

export interface EventTime {
  name: string;
  /** ISO 8601. */
  at: string;
  /** The planned time, if it differs. */
  planned?: string;
}

/** Smaller differences count as planned, because clocks differ, in milliseconds. */
const AS_PLANNED_MS = 60_000;

/** Start and end of an event, planned or actual. */
export function eventTimesOf({ eventState, startTime, endTime, startedAt, endedAt }: Event): EventTime[] {
  const isCancelled = eventState === 'cancelled';
  const times = [
    eventTime(startTime, startedAt, isCancelled ? 'Planned start' : 'Starts', 'Started'),
    eventTime(endTime, isCancelled ? undefined : endedAt, isCancelled ? 'Planned end' : 'Ends', 'Ended'),
  ];
  return times.filter((each) => each !== null);
}

function eventTime(
  plan: string | undefined,
  actual: string | undefined,
  ahead: string,
  past: string,
): EventTime | null {
  if (actual === undefined) return plan === undefined ? null : { name: ahead, at: plan };
  const isOff = plan !== undefined && Math.abs(Date.parse(plan) - Date.parse(actual)) >= AS_PLANNED_MS;
  return { name: past, at: actual, ...(isOff ? { planned: plan } : {}) };
}

/** `Nov 21, 2026, 10:02 AM (planned for Nov 21, 2026, 10:00 AM)`. */
export function eventTimeText({ at, planned }: EventTime): string {
  return planned === undefined ? dateTime(at) : `${dateTime(at)} (planned for ${dateTime(planned)})`;
}
