import type { LogLevel } from '@/api/logs';
import classes from './levels.module.css';

/** Most severe first. */
export const LEVELS = ['error', 'warning', 'info', 'debug'] as const satisfies LogLevel[];

/** What is looked for first: warnings and errors. */
export const PROBLEMS = 'problems';

/** A level, warnings and errors, or all of them. */
export type LevelFilter = LogLevel | typeof PROBLEMS | '';

export const PROBLEM_LEVELS = ['error', 'warning'] as const satisfies LogLevel[];

export const LEVEL_LABELS: Record<LogLevel, { one: string; many: string }> = {
  error: { one: 'Error', many: 'Errors' },
  warning: { one: 'Warning', many: 'Warnings' },
  info: { one: 'Info', many: 'Info' },
  debug: { one: 'Debug', many: 'Debug' },
};

const STROKES: Record<LogLevel, string> = {
  error: 'M6 6.3c4.1 3.6 8 7.5 11.9 11.6M18 5.9C13.9 9.8 10 13.8 6.2 18',
  warning:
    'M12 4.2c3 4.8 5.9 9.7 8.6 14.8-5.7.3-11.5.3-17.2 0 2.6-5.1 5.5-10 8.6-14.8ZM12 10.2c0 1.4 0 2.7.1 4M12 16.7v.1',
  info: 'M13.5 5.1C9 4.3 5.1 7.7 5.2 12.2c.1 4.2 3.5 7.2 7.5 6.8 4-.3 6.7-3.8 6.3-7.6C18.6 8 16 5.4 11.9 5.4',
  debug: 'M7.3 8.3c3.1-.1 6.3-.1 9.4 0M7.2 12c3.2.1 6.4.1 9.5 0M7.3 15.8c2.1-.1 4.2-.1 6.3 0',
};

/** The icon of a level, distinguishable by shape as well as colour. */
export function LevelMark({ level }: { level: LogLevel }) {
  return (
    <svg
      className={classes.mark}
      data-level={level}
      width="20"
      height="20"
      viewBox="0 0 24 24"
      fill="none"
      strokeWidth="2.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={STROKES[level]} />
    </svg>
  );
}
