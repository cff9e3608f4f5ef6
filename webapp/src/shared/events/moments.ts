import type { Event } from '@/api/events';
import { dateTime } from './times';

export interface Moment {
  name: string;
  /** ISO 8601. */
  at: string;
  /** What had been planned, where it came otherwise. */
  planned?: string;
}

/** Clocks are never quite together; what differs by less is as planned, in milliseconds. */
const AS_PLANNED_MS = 60_000;

/** When an event begins and ends: as planned, or as it was. */
export function momentsOf({ eventState, startTime, endTime, startedAt, endedAt }: Event): Moment[] {
  const isCancelled = eventState === 'cancelled';
  const moments = [
    moment(startTime, startedAt, isCancelled ? 'Planned start' : 'Starts', 'Started'),
    moment(endTime, isCancelled ? undefined : endedAt, isCancelled ? 'Planned end' : 'Ends', 'Ended'),
  ];
  return moments.filter((each) => each !== null);
}

function moment(plan: string | undefined, actual: string | undefined, ahead: string, past: string): Moment | null {
  if (actual === undefined) return plan === undefined ? null : { name: ahead, at: plan };
  const isOff = plan !== undefined && Math.abs(Date.parse(plan) - Date.parse(actual)) >= AS_PLANNED_MS;
  return { name: past, at: actual, ...(isOff ? { planned: plan } : {}) };
}

/** `Nov 21, 2026, 10:02 AM (planned for Nov 21, 2026, 10:00 AM)`. */
export function momentText({ at, planned }: Moment): string {
  return planned === undefined ? dateTime(at) : `${dateTime(at)} (planned for ${dateTime(planned)})`;
}
