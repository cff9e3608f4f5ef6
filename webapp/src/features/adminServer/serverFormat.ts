const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The time between two moments in its largest unit, for example `3 hours`. */
export function ageText(from: string, until: string): string {
  const ms = Math.max(0, Date.parse(until) - Date.parse(from));
  const [count, unit] =
    ms >= 2 * DAY_MS ? [ms / DAY_MS, 'day'] : ms >= 2 * HOUR_MS ? [ms / HOUR_MS, 'hour'] : [ms / MINUTE_MS, 'minute'];
  const whole = Math.floor(count);
  if (whole === 0) return 'less than a minute';
  return whole === 1 ? `1 ${unit}` : `${whole} ${unit}s`;
}

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];

/** For example `4.0 MiB`. */
export function bytesText(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length - 1);
  const value = bytes / 1024 ** power;
  return `${value.toFixed(power === 0 || value >= 100 ? 0 : 1)} ${UNITS[power]}`;
}
