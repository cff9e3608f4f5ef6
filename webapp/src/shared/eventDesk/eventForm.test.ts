import { describe, expect, it } from 'vitest';
import { anEvent } from './testing/anEvent';
import {
  changesBetween,
  durationText,
  endAfter,
  draftErrors,
  fieldsOf,
  lengthText,
  mostPlayers,
  mostRoundTimes,
  movedStart,
  NEW_EVENT,
  newEvent,
  publishErrors,
} from './eventForm';

const UTC = '2026-12-01T18:30:00Z';

describe('a new event', () => {
  it('is an open draft of three losses, with texts trimmed', () => {
    const fields = { ...NEW_EVENT, title: '  Cup ', description: ' For all ', prize: ' Chalk ', startTime: UTC };
    expect(newEvent(fields)).toEqual({
      title: 'Cup',
      description: 'For all',
      prize: 'Chalk',
      eventType: 'open',
      eventState: 'drafted',
      startTime: UTC,
      maxLosses: 3,
    });
  });

  it('omits empty fields', () => {
    expect(newEvent({ ...NEW_EVENT, title: 'Cup', description: ' ', maxLosses: 0 })).toEqual({
      title: 'Cup',
      eventType: 'open',
      eventState: 'drafted',
      maxLosses: 0,
    });
  });

  it.each([
    ['', null, null, { title: 'Event title is required.' }],
    ['   ', null, null, { title: 'Event title is required.' }],
    ['Cup', '2026-12-01T10:00:00Z', '2026-12-01T10:00:00Z', { endTime: 'End time must be after start time.' }],
    ['Cup', '2026-12-01T10:00:00Z', '2026-12-01T09:59:00Z', { endTime: 'End time must be after start time.' }],
    ['Cup', '2026-12-01T10:00:00Z', '2026-12-01T10:01:00Z', {}],
    ['Cup', null, '2026-12-01T10:01:00Z', {}],
  ])('titled %j from %s to %s: %j', (title, startTime, endTime, errors) => {
    expect(draftErrors({ ...NEW_EVENT, title, startTime, endTime })).toEqual(errors);
  });
});

describe('a format', () => {
  const draft = { ...NEW_EVENT, title: 'Cup' };
  const sent = { title: 'Cup', eventType: 'open', eventState: 'drafted' };

  it.each([
    [
      { format: 'knockout', thirdPlace: true, rounds: 5 },
      { boardSize: 3, matchGames: 2, thirdPlace: true },
    ],
    [
      { format: 'swiss', boardSize: 5, matchGames: 1 },
      { boardSize: 5, matchGames: 1, rounds: 0 },
    ],
    [
      { format: 'swiss', rounds: 7, doubleRounds: true },
      { boardSize: 3, matchGames: 2, rounds: 7 },
    ],
    [
      { format: 'roundRobin', maxLosses: 1 },
      { boardSize: 3, matchGames: 2, doubleRounds: false },
    ],
  ] as const)('is sent with its own fields alone: %j', (fields, expected) => {
    expect(newEvent({ ...draft, ...fields })).toEqual({ ...sent, format: fields.format, ...expected });
  });

  it('has the values of a stored event, and the defaults of what it does not have', () => {
    const swiss = anEvent({ format: 'swiss', rounds: 5, boardSize: 4, matchGames: 1, maxLosses: 0 });
    const fields = { format: 'swiss', rounds: 5, boardSize: 4, matchGames: 1, thirdPlace: false, maxLosses: 3 };
    expect(fieldsOf(swiss)).toMatchObject(fields);
    expect(fieldsOf(anEvent())).toMatchObject({ format: 'arena', rounds: '', boardSize: 3, matchGames: 2 });
  });

  it('is changed with the fields that it brings, and those of another one are left', () => {
    const arena = fieldsOf(anEvent());
    const knockout = { ...arena, format: 'knockout' as const };
    expect(changesBetween(arena, knockout)).toEqual({
      format: 'knockout',
      boardSize: 3,
      matchGames: 2,
      thirdPlace: false,
    });
    expect(changesBetween(knockout, arena)).toEqual({ format: 'arena', maxLosses: 3 });
    expect(changesBetween(knockout, { ...knockout, format: 'swiss' })).toEqual({ format: 'swiss', rounds: 0 });
    expect(changesBetween(knockout, { ...knockout, thirdPlace: true, rounds: 4, maxLosses: 1 })).toEqual({
      thirdPlace: true,
    });
    const swiss = { ...arena, format: 'swiss' as const, rounds: 5 };
    expect(changesBetween(swiss, { ...swiss, rounds: '' })).toEqual({ rounds: 0 });
  });
});

describe('a clock', () => {
  it('is sent where it is not that of old, and changed alone', () => {
    const before = { ...NEW_EVENT, title: 'Cup' };
    expect(newEvent(before)).not.toHaveProperty('clock');
    expect(newEvent({ ...before, clock: '1+2' })).toMatchObject({ clock: '1+2' });
    expect(newEvent({ ...before, format: 'swiss', clock: '1+2' })).toMatchObject({ format: 'swiss', clock: '1+2' });
    const stored = fieldsOf(anEvent({ clock: '1+2' }));
    expect(changesBetween(stored, { ...stored, clock: 'turn15' })).toEqual({ clock: 'turn15' });
    expect(changesBetween(stored, { ...stored, format: 'knockout' })).not.toHaveProperty('clock');
  });
});

describe('publishing', () => {
  const ready = { title: 'Cup', startTime: '2026-12-01T10:00:00Z', endTime: '2026-12-01T12:00:00Z' };

  it('needs a title, a start, an end, and the end after the start', () => {
    expect(publishErrors(anEvent(ready))).toEqual([]);
    expect(publishErrors(anEvent({ ...ready, title: ' ' }))).toEqual(['Event title is required to publish.']);
    expect(publishErrors(anEvent({ ...ready, endTime: ready.startTime }))).toEqual([
      'End time must be after start time.',
    ]);
    const { startTime: _start, endTime: _end, ...timeless } = anEvent(ready);
    expect(publishErrors(timeless)).toEqual(['Start time is required to publish.', 'End time is required to publish.']);
  });
});

describe('a length', () => {
  it.each([
    [30, '+30 min', '2027-01-02T23:15:00Z', '2027-01-02T23:45:00Z'],
    [60, '+1 h', '2027-01-02T23:15:00Z', '2027-01-03T00:15:00Z'],
    [90, '+1 h 30 min', '2027-01-02T10:00:00Z', '2027-01-02T11:30:00Z'],
  ])('of %i min is called %s and sets the end after the start', (minutes, text, start, end) => {
    expect(durationText(minutes)).toBe(text);
    expect(endAfter(start, minutes)).toBe(end);
  });
});

describe('a limit of players', () => {
  const before = { ...NEW_EVENT, title: 'Cup', maxPlayers: 8 };

  it('is sent where there is one, and taken back with 0', () => {
    expect(newEvent({ ...before, isPrivate: true })).toMatchObject({ maxPlayers: 8, isPrivate: true });
    expect(changesBetween(before, { ...before, maxPlayers: 12 })).toEqual({ maxPlayers: 12 });
    expect(changesBetween(before, { ...before, maxPlayers: '' })).toEqual({ maxPlayers: 0 });
  });

  it.each([
    ['arena', undefined, undefined],
    ['knockout', 64, 64],
    ['roundRobin', undefined, 16],
    ['roundRobin', 64, 16],
  ] as const)('of a %s for somebody who may have %s is %s at most', (format, allowed, most) => {
    expect(mostPlayers(format, allowed)).toBe(most);
  });
});

describe('conditions of entry', () => {
  const before = { ...NEW_EVENT, title: 'Cup', minRating: 1_200, allowList: 'ada\nbob' } as const;

  it('are sent where there are any, and taken back with 0 and an empty list', () => {
    expect(newEvent(before)).toMatchObject({ minRating: 1_200, allowList: ['ada', 'bob'] });
    expect(newEvent({ ...NEW_EVENT, title: 'Cup' })).not.toHaveProperty('allowList');
    expect(changesBetween(before, { ...before, minRating: '', minGames: 5, allowList: ' ' })).toEqual({
      minRating: 0,
      minGames: 5,
      allowList: [],
    });
    expect(changesBetween(before, { ...before, allowList: ' ada, bob\n' })).toEqual({});
    expect(fieldsOf(anEvent({ minRating: 1_200, allowList: ['ada', 'bob'] }))).toMatchObject({
      minRating: 1_200,
      maxRating: '',
      allowList: 'ada\nbob',
    });
  });

  it('have no highest rating below the lowest', () => {
    expect(draftErrors({ ...before, maxRating: 1_199 })).toHaveProperty('maxRating');
    expect(draftErrors({ ...before, maxRating: 1_200 })).toEqual({});
  });
});

describe('a length', () => {
  it.each([
    [1_440, '1 day'],
    [10_080, '7 days'],
    [90 * 60, '90 hours'],
    [90, '90 minutes'],
  ])('of %i minutes is %s', (minutes, text) => expect(lengthText(minutes)).toBe(text));
});

describe('another start', () => {
  const times = { startTime: '2027-01-02T10:00:00Z', endTime: '2027-01-02T11:30:00Z', roundTimes: [] };

  it('takes the end and the rounds with it', () => {
    const moved = movedStart({ ...times, roundTimes: ['2027-01-02T11:00:00Z'] }, '2027-01-03T10:00:00Z');
    expect(moved.roundTimes).toEqual(['2027-01-03T11:00:00Z']);
    expect(movedStart(times, '2027-01-03T09:00:00Z')).toEqual({
      startTime: '2027-01-03T09:00:00Z',
      endTime: '2027-01-03T10:30:00Z',
      roundTimes: [],
    });
    expect(movedStart({ ...times, endTime: null }, UTC)).toEqual({ startTime: UTC, endTime: null, roundTimes: [] });
    expect(movedStart(times, null)).toEqual({ ...times, startTime: null });
  });
});

describe('an edit', () => {
  const event = anEvent({ startTime: UTC, prize: 'Chalk' });

  it('sends only what differs', () => {
    const before = fieldsOf(event);
    expect(changesBetween(before, { ...before, title: ` ${before.title} ` })).toEqual({});
    expect(changesBetween(before, { ...before, prize: '', maxLosses: 1 })).toEqual({ prize: '', maxLosses: 1 });
    expect(changesBetween(before, { ...before, eventType: 'closed', endTime: UTC })).toEqual({
      eventType: 'closed',
      endTime: UTC,
    });
  });
});

describe('fixed times of rounds', () => {
  const at = (hour: number) => `2027-01-02T${hour}:00:00Z`;
  const swiss = { ...NEW_EVENT, title: 'Cup', format: 'swiss' as const, startTime: at(10), endTime: at(20) };

  it('are sent where the format has rounds', () => {
    const fields = { ...swiss, roundTimes: [at(11), at(12)] };
    expect(newEvent(fields)).toMatchObject({ roundTimes: [at(11), at(12)] });
    expect(newEvent({ ...fields, format: 'arena' })).not.toHaveProperty('roundTimes');
    expect(newEvent(swiss)).not.toHaveProperty('roundTimes');
    const before = fieldsOf(anEvent({ format: 'swiss', roundTimes: [at(11)] }));
    expect(changesBetween(before, { ...before, roundTimes: [] })).toEqual({ roundTimes: [] });
    expect(changesBetween(before, { ...before, roundTimes: [at(11), at(12)] })).toEqual({
      roundTimes: [at(11), at(12)],
    });
    expect(changesBetween(before, { ...before, format: 'arena' })).not.toHaveProperty('roundTimes');
  });

  it.each([
    [[at(11), at(19)], undefined],
    [[at(11), at(11)], 'Each round must begin after the one before it.'],
    [[at(10)], 'The second round must begin after the start of the event.'],
    [[at(20)], 'Every round must begin before the end of the event.'],
    [[at(11), at(12), at(13)], 'There are more times than rounds after the first.'],
  ])('%j are checked', (roundTimes, text) => {
    expect(draftErrors({ ...swiss, rounds: 3, roundTimes }).roundTimes).toBe(text);
    expect(draftErrors({ ...swiss, format: 'arena', roundTimes }).roundTimes).toBeUndefined();
  });

  it('are at most as many as there are rounds after the first', () => {
    expect(mostRoundTimes(swiss)).toBe(31);
    expect(mostRoundTimes({ ...swiss, format: 'knockout' })).toBe(9);
    expect(mostRoundTimes({ ...swiss, format: 'roundRobin', doubleRounds: true })).toBe(29);
    expect(mostRoundTimes(NEW_EVENT)).toBe(0);
  });
});

describe('a check-in', () => {
  it('is sent where it is asked for, and taken away with 0', () => {
    expect(newEvent({ ...NEW_EVENT, title: 'Cup', checkInMinutes: 30 })).toMatchObject({ checkInMinutes: 30 });
    const before = fieldsOf(anEvent({ checkInMinutes: 30 }));
    expect(changesBetween(before, { ...before, checkInMinutes: '' })).toEqual({ checkInMinutes: 0 });
    expect(changesBetween(before, { ...before, checkInMinutes: 45 })).toEqual({ checkInMinutes: 45 });
  });
});
