import { expect, it } from 'vitest';

const SOURCES = import.meta.glob<string>('./*.ts', { query: '?raw', import: 'default', eager: true });

it('no endpoint has the name of another, which it would replace', () => {
  const names = Object.values(SOURCES).flatMap((source) =>
    [...source.matchAll(/^\s+(\w+): build\.(?:query|mutation)/gm)].map(([, name]) => name),
  );
  expect(names.length).toBeGreaterThan(100);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});
