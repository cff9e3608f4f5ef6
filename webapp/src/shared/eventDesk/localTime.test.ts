import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { draftErrors, endAfter, NEW_EVENT } from './eventForm';
import { instantOf, instantsOf, pickedOf } from './localTime';

beforeAll(() => void vi.stubEnv('TZ', 'Europe/Berlin'));
afterAll(() => void vi.unstubAllEnvs());

describe('in Berlin', () => {
  it.each([
    ['2027-06-01 18:30:00', ['2027-06-01T16:30:00Z']],
    ['2027-10-31 01:59:00', ['2027-10-30T23:59:00Z']],
    ['2027-10-31 02:45:00', ['2027-10-31T00:45:00Z', '2027-10-31T01:45:00Z']],
    ['2027-10-31 03:00:00', ['2027-10-31T02:00:00Z']],
    ['2027-03-28 02:30:00', []],
    ['2027-03-28 03:00:00', ['2027-03-28T01:00:00Z']],
  ])('%s is %j', (picked, instants) => {
    expect(instantsOf(picked)).toEqual(instants);
    for (const instant of instants) expect(pickedOf(instant)).toBe(picked);
  });

  it('a time that the clock skips is as much later', () => {
    expect(pickedOf(instantOf('2027-03-28 02:30:00'))).toBe('2027-03-28 03:30:00');
  });

  it.each([
    ['2027-10-31T00:45:00Z', 30, '2027-10-31T01:15:00Z'],
    ['2027-10-30T23:45:00Z', 90, '2027-10-31T01:15:00Z'],
  ])('an event that starts at %s can last %i min through the hour that comes twice', (startTime, minutes, endTime) => {
    expect(endAfter(startTime, minutes)).toBe(endTime);
    expect(draftErrors({ ...NEW_EVENT, title: 'Cup', startTime, endTime })).toEqual({});
  });
});
