const times = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** A moment as it is shown in lists. */
export function timeText(iso: string): string {
  return times.format(new Date(iso));
}
