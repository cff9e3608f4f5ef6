/** What the steps of hosting an event fill in before anybody types. */

import { suggestedMinutes } from '@/shared/eventDesk/evening';
import { endAfter, type EventFields, NEW_EVENT } from '@/shared/eventDesk/eventForm';
import { toUtc } from '@/shared/eventDesk/localTime';

/** Time to send the link and to come, in milliseconds. */
const NOTICE_MS = 15 * 60_000;
const MINUTE_MS = 60_000;

/** A private event at the next full hour that leaves time to invite people. */
export function newHosted(now = Date.now()): EventFields {
  const start = new Date(now + NOTICE_MS);
  if (start.getMinutes() > 0 || start.getSeconds() > 0 || start.getMilliseconds() > 0) {
    start.setHours(start.getHours() + 1, 0, 0, 0);
  }
  const startTime = toUtc(start.getTime());
  const fields: EventFields = { ...NEW_EVENT, format: 'knockout', isPrivate: true, startTime };
  return { ...fields, endTime: endAfter(startTime, suggestedMinutes(fields)) };
}

/** How long the event is planned for, in minutes. */
export function minutesOf({ startTime, endTime }: Pick<EventFields, 'startTime' | 'endTime'>): number {
  return (Date.parse(endTime ?? '') - Date.parse(startTime ?? '')) / MINUTE_MS;
}

/** The end that follows from another format, unless the host has chosen how long it takes; undefined: as it is. */
export function suggestedEnd(fields: EventFields, before: EventFields): string | undefined {
  const { startTime } = fields;
  const [minutes, suggested] = [suggestedMinutes(before), suggestedMinutes(fields)];
  if (startTime === null || minutes === suggested || minutesOf(before) !== minutes) return undefined;
  return endAfter(startTime, suggested);
}
