/** The texts that the rules crate reads too, with what it makes of them. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type NotedGame, readNotation, writeNotation } from './notation';

interface Case {
  text: string;
  game?: NotedGame;
  written?: string;
  error?: string;
}

const CASES = JSON.parse(readFileSync(resolve('../appliance/rules/vectors/notation.json'), 'utf8')) as Case[];

describe('the notation', () => {
  it.each(CASES.map((each) => [each.text.slice(0, 80), each] as const))(
    'reads %j',
    (_, { text, game, written, error }) => {
      const read = readNotation(text);
      expect(read).toEqual(game ?? error);
      if (typeof read !== 'string') expect(writeNotation(read)).toBe(written);
    },
  );

  it('has cases of both kinds', () => {
    expect(CASES.filter(({ game }) => game !== undefined).length).toBeGreaterThan(4);
    expect(CASES.filter(({ error }) => error !== undefined).length).toBeGreaterThan(15);
  });
});
