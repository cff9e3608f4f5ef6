import { describe, expect, it } from 'vitest';
import { minutesOf, newHosted, suggestedEnd } from './hostForm';

const at = (time: string) => newHosted(new Date(`2026-11-29T${time}`).getTime());
const local = (instant: string | null) => new Date(instant ?? '').toTimeString().slice(0, 5);

describe('a new private event', () => {
  it.each([
    ['10:00:00', '11:00'],
    ['10:40:00', '11:00'],
    ['10:45:00', '11:00'],
    ['10:45:01', '12:00'],
    ['10:59:00', '12:00'],
    ['23:50:00', '01:00'],
  ])('that is begun at %s starts at %s', (now, start) => {
    const event = at(now);
    expect(local(event.startTime)).toBe(start);
    expect(minutesOf(event)).toBe(60);
    expect(event).toMatchObject({ isPrivate: true, maxPlayers: '', prize: '' });
  });

  it('takes as long as its format, until the host says how long', () => {
    const knockout = at('10:00:00');
    const league = { ...knockout, format: 'roundRobin' as const };
    const longer = { ...league, endTime: suggestedEnd(league, knockout) ?? null };
    expect(minutesOf(longer)).toBe(120);
    const twice = { ...longer, doubleRounds: true };
    expect(minutesOf({ ...twice, endTime: suggestedEnd(twice, longer) ?? null })).toBe(180);
    expect(suggestedEnd({ ...knockout, format: 'arena' }, knockout)).toBeUndefined();

    const chosen = { ...knockout, endTime: knockout.startTime };
    expect(suggestedEnd({ ...chosen, format: 'swiss' }, chosen)).toBeUndefined();
  });
});
