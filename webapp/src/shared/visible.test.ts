import { describe, expect, it } from 'vitest';
import { composed, folded, visibleError } from './visible';

describe('visibleError', () => {
  it.each([
    'Ada Lovelace',
    'D’Arcy-O’Neill',
    'Zoe\u0308',
    'क्\u200Dष',
    'സച്ചിന്\u200D',
    'می\u200Cخواهم',
    '葛\u{E0100}城',
    '김민수',
    'สมชาย',
    '👩\u200D👩\u200D👧',
    '❤\uFE0F',
    '1\uFE0F\u20E3',
    '🇩🇪',
    '🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}',
    '',
  ])('takes %j', (name) => {
    expect(visibleError(name, 'A name')).toBeNull();
  });

  it.each([
    '\u2800',
    '\u3164',
    '\u115F',
    '\uFFA0',
    '\u034F',
    '\u200D',
    '\u0301',
    'a \u0301',
    '\uFFFF',
    '\uE000',
    '\u00AD',
    'a\u200Bb',
    '\u202Eada',
    'a\nb',
    'ada\u200D',
    'a\u{E0067}\u{E007F}',
  ])('refuses %j', (name) => {
    expect(visibleError(name, 'A name')).toBe('A name has a character that cannot be seen. Please type it again.');
  });
});

it('finds names however they are typed', () => {
  expect(composed(' Zoe\u0308 ')).toBe('Zoë');
  expect(folded('Groß')).toBe(folded('GROSS'));
  expect(folded('ＺＯE\u0308')).toBe(folded('zoë'));
});
