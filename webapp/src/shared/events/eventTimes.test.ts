import { describe, expect, it } from 'vitest';
import { someEvent } from '@/testing/server';
import { eventTimesOf } from './eventTimes';

const startTime = '2026-01-01T10:00:00Z';
const endTime = '2026-01-01T12:00:00Z';

describe('the times of an event', () => {
  it('are the planned ones until they have passed', () => {
    expect(eventTimesOf(someEvent({ eventState: 'published', startTime, endTime }))).toEqual([
      { name: 'Starts', at: startTime },
      { name: 'Ends', at: endTime },
    ]);
  });

  it('are the actual ones, with the planned one where it differs', () => {
    const startedAt = '2026-01-01T10:00:20Z';
    const endedAt = '2026-01-01T11:30:00Z';
    expect(eventTimesOf(someEvent({ eventState: 'ended', startTime, endTime, startedAt, endedAt }))).toEqual([
      { name: 'Started', at: startedAt },
      { name: 'Ended', at: endedAt, planned: endTime },
    ]);
  });

  it('of a cancelled event were only planned', () => {
    const event = someEvent({ eventState: 'cancelled', startTime, endTime, endedAt: '2026-01-01T10:30:00Z' });
    expect(eventTimesOf(event).map(({ name }) => name)).toEqual(['Planned start', 'Planned end']);
  });
});
