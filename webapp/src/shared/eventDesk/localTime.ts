/** Local times of the pickers and the instants that they name; where the clocks are changed that is not one each. */

import dayjs from 'dayjs';

/** The pickers' date format. */
const PICKED = 'YYYY-MM-DD HH:mm:ss';
const DAY_MS = 86_400_000;

/** A Unix time in milliseconds in the API's format. */
export function toUtc(at: number): string {
  return new Date(at).toISOString().replace('.000Z', 'Z');
}

/** An instant in the pickers' format, in the browser's time zone. */
export function pickedOf(instant: string): string {
  return dayjs(instant).format(PICKED);
}

/** The instants at which the clock shows this time, the earlier first: two when it is set back, none when it is set forward. */
export function instantsOf(picked: string): string[] {
  const asUtc = Date.parse(`${picked.replace(' ', 'T')}Z`);
  // The offsets before and after whatever change there is on that day.
  const offsets = [asUtc - DAY_MS, asUtc + DAY_MS].map((at) => new Date(at).getTimezoneOffset() * 60_000);
  const instants = [...new Set(offsets)].map((offset) => toUtc(asUtc + offset));
  return instants.filter((instant) => pickedOf(instant) === picked).sort();
}

/** What a picked time means: its first instant, and for a time that the clock skips, as much later as it is set forward. */
export function instantOf(picked: string): string {
  return instantsOf(picked)[0] ?? toUtc(dayjs(picked).valueOf());
}
