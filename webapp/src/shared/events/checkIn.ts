import type { Event } from '@/api/events';
import { counted } from '@/shared/counted';

type Times = Pick<Event, 'eventState' | 'startTime' | 'checkInMinutes'>;

/** When players can begin to check in, in Unix milliseconds; undefined where nobody asks them. */
export function checkInOpens({ startTime, checkInMinutes }: Omit<Times, 'eventState'>): number | undefined {
  if (startTime === undefined || checkInMinutes === undefined) return undefined;
  return Date.parse(startTime) - checkInMinutes * 60_000;
}

/** Whether players check in now. */
export function isCheckInOpen(event: Times, now: number): boolean {
  const opens = checkInOpens(event);
  return event.eventState === 'published' && opens !== undefined && opens <= now;
}

/** Whether only those play from the start who checked in: it began when they could. */
export function hasAskedToCheckIn(event: Pick<Event, 'startTime' | 'checkInMinutes' | 'startedAt'>): boolean {
  const opens = checkInOpens(event);
  return opens !== undefined && event.startedAt !== undefined && Date.parse(event.startedAt) >= opens;
}

/** `30 minutes before the start`. */
export function checkInText({ checkInMinutes = 0 }: Pick<Event, 'checkInMinutes'>): string {
  return `${counted(checkInMinutes, 'minute')} before the start`;
}

/** `12 of 16 are here`; nothing where it is not known. */
export function hereText({ checkedInCount, signupCount }: Pick<Event, 'checkedInCount' | 'signupCount'>): string {
  if (checkedInCount === undefined) return '';
  return `${checkedInCount} of ${signupCount} ${checkedInCount === 1 ? 'is' : 'are'} here`;
}
