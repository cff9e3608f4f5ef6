const days = new Intl.DateTimeFormat(undefined, { dateStyle: 'long' });

/** For example `December 21, 2026`. */
export function day(iso: string): string {
  return days.format(new Date(iso));
}
