/** The usual rules of a series, as choices and in words; the server follows them. */

/** How often a series comes; `own` is any other rule of RFC 5545. */
export type Cadence = 'daily' | 'weekly' | 'fortnightly' | 'monthly' | 'own';

const DAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'] as const;
const DAY_NAMES = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;
const NTH = ['first', 'second', 'third', 'fourth'] as const;

interface Day {
  /** 0 is Sunday. */
  weekday: number;
  /** Which such day of its month it is, from 1; the fifth counts as the last. */
  nth: number;
}

/** The day of a first start such as `2027-03-05T19:00`. */
function dayOf(firstStart: string): Day | undefined {
  const at = new Date(`${firstStart.slice(0, 10)}T00:00:00Z`);
  if (Number.isNaN(at.getTime())) return undefined;
  const week = Math.ceil(at.getUTCDate() / 7);
  return { weekday: at.getUTCDay(), nth: week > NTH.length ? -1 : week };
}

const nthName = (nth: number) => (nth === -1 ? 'last' : (NTH[nth - 1] ?? String(nth)));

/** The rule of a choice, for series that begin then. */
export function ruleOf(cadence: Exclude<Cadence, 'own'>, firstStart: string): string {
  const day = dayOf(firstStart);
  const name = day === undefined ? undefined : DAYS[day.weekday];
  if (cadence === 'daily') return 'FREQ=DAILY';
  if (cadence === 'monthly') return day === undefined ? 'FREQ=MONTHLY' : `FREQ=MONTHLY;BYDAY=${day.nth}${name}`;
  const on = name === undefined ? '' : `;BYDAY=${name}`;
  return cadence === 'weekly' ? `FREQ=WEEKLY${on}` : `FREQ=WEEKLY;INTERVAL=2${on}`;
}

/** The choice that a rule is. */
export function cadenceOf(rule: string, firstStart: string): Cadence {
  const choices = ['daily', 'weekly', 'fortnightly', 'monthly'] as const;
  return choices.find((choice) => ruleOf(choice, firstStart) === rule) ?? 'own';
}

/** A choice in words: `Every Friday`. */
export function cadenceText(cadence: Exclude<Cadence, 'own'>, firstStart: string): string {
  const day = dayOf(firstStart);
  const name = day === undefined ? undefined : DAY_NAMES[day.weekday];
  if (cadence === 'daily') return 'Every day';
  if (day === undefined || name === undefined) {
    return { weekly: 'Every week', fortnightly: 'Every two weeks', monthly: 'Every month' }[cadence];
  }
  if (cadence === 'monthly') return `Every month, on the ${nthName(day.nth)} ${name}`;
  return cadence === 'weekly' ? `Every ${name}` : `Every two weeks, on ${name}`;
}

interface Schedule {
  rule: string;
  firstStart: string;
  timeZone: string;
}

/** A schedule in a sentence; a rule that is none of the choices is told as it is. */
export function scheduleText({ rule, firstStart, timeZone }: Schedule): string {
  const cadence = cadenceOf(rule, firstStart);
  const often = cadence === 'own' ? `By the rule ${rule}` : cadenceText(cadence, firstStart);
  return `${often}, at ${firstStart.slice(11)} (${timeZone})`;
}

/** The moment of a date in its series' zone: `Fri, Mar 5, 2027, 7:00 PM`. */
export function dateIn(timeZone: string, startsAt: string): string {
  const options: Intl.DateTimeFormatOptions = {
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
  };
  try {
    return new Intl.DateTimeFormat(undefined, { ...options, timeZone }).format(new Date(startsAt));
  } catch {
    // A zone that this browser does not know yet.
    return new Intl.DateTimeFormat(undefined, { ...options, timeZone: 'UTC', timeZoneName: 'short' }).format(
      new Date(startsAt),
    );
  }
}

/** The time zones to choose from, with the reader's own and the one that is chosen. */
export function timeZones(chosen: string): string[] {
  return [...new Set([chosen, 'UTC', ...Intl.supportedValuesOf('timeZone')])].filter((zone) => zone !== '').toSorted();
}

export const ownTimeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;
