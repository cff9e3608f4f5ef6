import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayAt, daysAfter, FIRST_DAY, isOffered, puzzleNumber, untilNextDay } from './days';
import { bestStreak, type PuzzleRecords, RECORDS_CAP, recordsFrom, streakOf } from './records';

const TODAY = '2026-11-23';

/** Solved on their day, or on another one. */
function solved(...days: (string | [day: string, on: string])[]): PuzzleRecords {
  return Object.fromEntries(
    days.map((each) => {
      const [day, solvedOn] = typeof each === 'string' ? [each, each] : each;
      return [day, { misses: 0, hints: 0, solvedOn }];
    }),
  );
}

describe('days', () => {
  it('are those of UTC', () => {
    expect(dayAt(Date.UTC(2026, 10, 23, 23, 59, 59))).toBe(TODAY);
    expect(untilNextDay(Date.UTC(2026, 10, 23, 18))).toBe(6 * 3_600_000);
    expect(daysAfter('2026-02-28', 1)).toBe('2026-03-01');
    expect(daysAfter('2026-01-01', -1)).toBe('2025-12-31');
    expect(puzzleNumber(FIRST_DAY)).toBe(1);
    expect(puzzleNumber(TODAY)).toBe(327);
  });

  it('are offered from the first to today', () => {
    expect([FIRST_DAY, TODAY].map((day) => isOffered(day, TODAY))).toEqual([true, true]);
    for (const day of ['2025-12-31', '2026-11-24', '2026-02-30', '2026-1-1', 'today', '', '__proto__'])
      expect(isOffered(day, TODAY)).toBe(false);
  });
});

describe('the streak', () => {
  it.each<[number, PuzzleRecords]>([
    [0, {}],
    [1, solved(TODAY)],
    [2, solved('2026-11-21', '2026-11-22')],
    [3, solved('2026-11-21', '2026-11-22', TODAY)],
    [0, solved('2026-11-20', '2026-11-21')],
    [1, solved('2026-11-20', ['2026-11-21', TODAY], '2026-11-22')],
    [1, solved(['2026-11-22', TODAY], TODAY)],
    // Solved ahead with the clock set forward, which is right again.
    [1, solved(TODAY, '2026-11-24', '2026-11-25')],
  ])('is %i', (streak, records) => expect(streakOf(records, TODAY)).toBe(streak));

  it('at its best is the longest run so far', () => {
    const records = solved('2026-10-31', '2026-11-01', '2026-11-02', TODAY, '2026-12-01', '2026-12-02', '2026-12-03');
    expect(bestStreak({ ...records, ...solved('2026-12-04') }, TODAY)).toBe(3);
    expect(bestStreak({}, TODAY)).toBe(0);
    expect(bestStreak(solved(TODAY), TODAY)).toBe(1);
    expect(bestStreak(solved('2026-11-01', '2026-11-02', '2026-11-04', TODAY), TODAY)).toBe(2);
  });
});

describe('stored records', () => {
  const good = { misses: 1, hints: 0, solvedOn: TODAY };

  it('are read as they were written', () => {
    expect(recordsFrom({ [TODAY]: good, '2026-11-20': { ...good, solvedOn: null } })).toEqual({
      [TODAY]: good,
      '2026-11-20': { ...good, solvedOn: null },
    });
  });

  it.each([
    ['another kind of thing', [good]],
    ['text', 'solved'],
    ['no day', { 'not a day': good }],
    ['a day that never was', { '2026-02-31': good }],
    ['a negative count', { [TODAY]: { ...good, misses: -1 } }],
    ['a count without end', { [TODAY]: { ...good, hints: 1e300 } }],
    ['half a mistake', { [TODAY]: { ...good, misses: 0.5 } }],
    ['no mention of a solution', { [TODAY]: { misses: 0, hints: 0 } }],
    ['a solution before the day', { [TODAY]: { ...good, solvedOn: '2026-11-22' } }],
    ['markup for a day', { [TODAY]: { ...good, solvedOn: '<b>' } }],
    ['null', { [TODAY]: null }],
  ])('with %s are left out', (_what, stored) => expect(recordsFrom(stored)).toEqual({}));

  it('may be anything', () => {
    const day = fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10));
    const key = fc.oneof(day, fc.string());
    fc.assert(
      fc.property(
        fc.oneof(
          fc.json().map((text) => JSON.parse(text) as unknown),
          fc.dictionary(key, fc.anything()),
        ),
        (stored) => {
          const records = recordsFrom(stored);
          expect(streakOf(records, TODAY)).toBeLessThanOrEqual(bestStreak(records, TODAY));
        },
      ),
    );
  });

  it('are the newest of too many', () => {
    const many = Object.fromEntries(
      Array.from({ length: RECORDS_CAP + 10 }, (_, at) => [daysAfter('2026-01-01', at), { ...good, solvedOn: null }]),
    );
    const kept = Object.keys(recordsFrom(many)).sort();
    expect(kept).toHaveLength(RECORDS_CAP);
    expect(kept[0]).toBe('2026-01-11');
  });
});
