import { describe, expect, it } from 'vitest';
import { minutesLeft, roughly, timeLeft } from './countdown';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe('the time that is left', () => {
  it('is split into parts, rounded up to a second', () => {
    expect(timeLeft(2 * DAY + 3 * HOUR + 4 * MINUTE + 4_001)).toEqual({ days: 2, hours: 3, minutes: 4, seconds: 5 });
    expect(timeLeft(1)).toEqual({ days: 0, hours: 0, minutes: 0, seconds: 1 });
    expect(timeLeft(59_001)).toEqual({ days: 0, hours: 0, minutes: 1, seconds: 0 });
  });

  it('is never negative', () => {
    expect(timeLeft(-DAY)).toEqual({ days: 0, hours: 0, minutes: 0, seconds: 0 });
  });

  it.each([
    [3 * DAY, '3 days'],
    [DAY + 5 * HOUR, '1 day 5 h'],
    [2 * HOUR + 5 * MINUTE, '2 h 5 min'],
    [MINUTE, '1 min'],
    [45 * SECOND, '45 s'],
    [0, '0 s'],
  ])('%i ms are roughly %s', (ms, text) => {
    expect(roughly(ms)).toBe(text);
  });

  it.each([
    [4 * MINUTE + 59 * SECOND, '4:59'],
    [9_001, '0:10'],
    [75 * MINUTE, '75:00'],
    [-SECOND, '0:00'],
  ])('%i ms are %s on a clock', (ms, text) => {
    expect(minutesLeft(ms)).toBe(text);
  });
});
