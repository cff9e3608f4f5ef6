import { describe, expect, it, vi } from 'vitest';
import {
  contextOf,
  excerpt,
  fromLocalField,
  isLowerBound,
  lineOf,
  partsOf,
  pastedId,
  percent,
  records,
  timeOf,
  toLocalField,
} from './logFormat';

const ID = '0195a6a2-1111-7111-8111-00000000abcd';

describe('the context of a record', () => {
  it.each([
    ['{"page":"/app","detail":{"status":500}}', [['page', '/app'], ['detail', '{\n  "status": 500\n}']]], // prettier-ignore
    ['status=200 latency_ms=1.25', [['status', '200'], ['latency_ms', '1.25']]], // prettier-ignore
    ['error=the client went away at=noon', [['error', 'the client went away'], ['at', 'noon']]], // prettier-ignore
  ])('%s is shown by its fields', (context, expected) => {
    expect(contextOf(context)).toEqual(expected.map(([name, value]) => ({ name, value })));
  });

  it.each(['words alone', '[1,2]', '{"cut":"of…', ''])('%j stays unchanged', (context) => {
    expect(contextOf(context)).toBe(context);
    expect(lineOf(context)).toBe(context);
  });

  it('is one line in the list', () => {
    expect(lineOf('{"page":"/app","status":500}')).toBe('page=/app status=500');
  });
});

describe('what is searched for', () => {
  it.each([
    ['The Store is gone', 'store', ['The ', 'Store', ' is gone']],
    ['a.b axb', 'a.b', ['', 'a.b', ' axb']],
    ['(1+1) [x] \\ ^$ -', '[x]', ['(1+1) ', '[x]', ' \\ ^$ -']],
    ['nothing here', 'store', ['nothing here']],
    ['all of it', '', ['all of it']],
  ])('in %j for %j is marked', (text, wanted, parts) => {
    expect(partsOf(text, wanted)).toEqual(parts);
  });

  it('is shown even far into the text', () => {
    const text = `${'x'.repeat(300)}\n  needle in it`;
    expect(excerpt(text, 'NEEDLE')).toMatch(/^…x{39} needle in it$/);
    expect(excerpt('short  text', 'text')).toBe('short text');
  });
});

describe('an id that was pasted', () => {
  it.each([ID, ` ${ID.toUpperCase()} `, `(Request ${ID})`, `Request ${ID}`, `Reference ${ID}`])(
    '%j is known',
    (text) => {
      expect(pastedId(text)).toBe(ID);
    },
  );

  it.each(['', 'store', `game ${ID}`, `${ID} and more`, ID.slice(1)])('%j is not an id', (text) => {
    expect(pastedId(text)).toBeUndefined();
  });
});

describe('totals', () => {
  it('are lower bounds where a rare text is searched in a long log', () => {
    expect(isLowerBound({ text: 'x' }, true, 200_000)).toBe(true);
    expect(isLowerBound({ requestId: ID }, true, 200_000)).toBe(true);
    expect(isLowerBound({ text: 'x' }, false, 200_000)).toBe(false);
    expect(isLowerBound({ text: 'x' }, true, 40_000)).toBe(false);
    expect(isLowerBound({ level: 'error', service: 'http' }, true, 200_000)).toBe(false);
  });

  it('are counted in words', () => {
    expect([records(0), records(1), records(1234)]).toEqual(['0 records', '1 record', '1,234 records']);
    expect([percent(0), percent(0.2391), percent(1)]).toEqual(['0%', '23.9%', '100%']);
  });
});

describe('times', () => {
  it('name the day when it is not today', () => {
    const at = new Date(2026, 10, 21, 16, 2, 8, 45);
    expect(timeOf(at.toISOString(), new Date(2026, 10, 21, 23))).toBe('16:02:08.045');
    expect(timeOf(at.toISOString(), new Date(2026, 10, 22, 1))).toContain('Nov 21');
  });

  it('round-trip through the browser’s date field', () => {
    const iso = '2026-11-21T10:00:05.000Z';
    expect(fromLocalField(toLocalField(iso))).toBe(iso);
    expect([toLocalField(''), fromLocalField(''), fromLocalField('half')]).toEqual(['', '', '']);
  });

  it('of a range have both hours when the clock is set back', () => {
    vi.stubEnv('TZ', 'Europe/Berlin');
    const twice = '2027-10-31T02:30:00';
    expect([fromLocalField(twice, 'from'), fromLocalField(twice, 'to')]).toEqual([
      '2027-10-31T00:30:00.000Z',
      '2027-10-31T01:30:00.000Z',
    ]);
    expect(fromLocalField('2027-10-31T03:00:00', 'to')).toBe('2027-10-31T02:00:00.000Z');
    expect(fromLocalField('2027-03-28T02:30:00', 'to')).toBe('2027-03-28T01:30:00.000Z');
    vi.unstubAllEnvs();
  });
});
