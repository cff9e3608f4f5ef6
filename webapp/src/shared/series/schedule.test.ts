import { describe, expect, it } from 'vitest';
import { cadenceOf, cadenceText, dateIn, ruleOf, scheduleText, timeZones } from './schedule';

const FRIDAY = '2027-03-05T19:00';

describe('schedule of a series', () => {
  it.each([
    ['daily', 'FREQ=DAILY', 'Every day'],
    ['weekly', 'FREQ=WEEKLY;BYDAY=FR', 'Every Friday'],
    ['fortnightly', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=FR', 'Every two weeks, on Friday'],
    ['monthly', 'FREQ=MONTHLY;BYDAY=1FR', 'Every month, on the first Friday'],
  ] as const)('has a rule and words for %s', (cadence, rule, words) => {
    expect(ruleOf(cadence, FRIDAY)).toBe(rule);
    expect(cadenceText(cadence, FRIDAY)).toBe(words);
    expect(cadenceOf(rule, FRIDAY)).toBe(cadence);
  });

  it('takes the fifth of its kind for the last', () => {
    expect(ruleOf('monthly', '2027-01-29T19:00')).toBe('FREQ=MONTHLY;BYDAY=-1FR');
    expect(cadenceText('monthly', '2027-01-29T19:00')).toBe('Every month, on the last Friday');
  });

  it('has rules without a first start', () => {
    expect(ruleOf('weekly', '')).toBe('FREQ=WEEKLY');
    expect(cadenceText('monthly', '')).toBe('Every month');
  });

  it('tells any other rule as it is', () => {
    const rule = 'FREQ=YEARLY;BYMONTH=6';
    expect(cadenceOf(rule, FRIDAY)).toBe('own');
    expect(scheduleText({ rule, firstStart: FRIDAY, timeZone: 'UTC' })).toBe(
      'By the rule FREQ=YEARLY;BYMONTH=6, at 19:00 (UTC)',
    );
    expect(scheduleText({ rule: 'FREQ=WEEKLY;BYDAY=FR', firstStart: FRIDAY, timeZone: 'Europe/Berlin' })).toBe(
      'Every Friday, at 19:00 (Europe/Berlin)',
    );
  });

  it('shows dates in the zone of the series', () => {
    expect(dateIn('Europe/Berlin', '2027-03-26T18:00:00Z')).toContain('7:00');
    expect(dateIn('Mars/Olympus', '2027-03-26T18:00:00Z')).toContain('UTC');
    expect(timeZones('Asia/Kolkata')).toEqual(expect.arrayContaining(['Asia/Kolkata', 'Europe/Berlin', 'UTC']));
  });
});
