/** Times in the user's language and time zone. */

/** Created on first use, because it is slow on phones. */
let moment: Intl.DateTimeFormat | undefined;

/** For example `Nov 21, 2026, 10:00 AM`. */
export function dateTime(iso: string): string {
  moment ??= new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  return moment.format(new Date(iso));
}

/** The time of day, for example `10:00 AM`, of a Unix time in milliseconds. */
export function clockTime(at: number | undefined): string {
  return new Intl.DateTimeFormat(undefined, { timeStyle: 'short' }).format(at);
}

/** When something is, of a Unix time in milliseconds: the time of day, with the date if that is not today. */
export function dayTime(at: number): string {
  const isToday = new Date(at).toDateString() === new Date().toDateString();
  return isToday ? clockTime(at) : dateTime(new Date(at).toISOString());
}

/** How far the local time is from UTC at that time: `UTC+1`. */
export function utcOffset(at: Date): string {
  const offset = new Intl.DateTimeFormat('en', { timeZoneName: 'shortOffset' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')
    ?.value.replace('GMT', 'UTC');
  return offset ?? 'UTC';
}

/** The local time zone with its UTC offset at that time: `Europe/Paris (UTC+1)`. */
export function timeZone(at: Date = new Date()): string {
  return `${Intl.DateTimeFormat().resolvedOptions().timeZone} (${utcOffset(at)})`;
}
