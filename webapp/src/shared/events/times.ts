/** Moments in the words and the time zone of whoever reads them. */

/** Made for the first moment that is told: on a phone it takes longer than all else that a page begins with. */
let moment: Intl.DateTimeFormat | undefined;

/** For example `Nov 21, 2026, 10:00 AM`. */
export function dateTime(iso: string): string {
  moment ??= new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  return moment.format(new Date(iso));
}

/** The reader's time zone with what it is off UTC at that moment: `Europe/Paris (UTC+1)`. */
export function timeZone(at: Date = new Date()): string {
  const offset = new Intl.DateTimeFormat('en', { timeZoneName: 'shortOffset' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')
    ?.value.replace('GMT', 'UTC');
  return `${Intl.DateTimeFormat().resolvedOptions().timeZone} (${offset ?? 'UTC'})`;
}
