import { describe, expect, it } from 'vitest';
import { countByLevel, growthOf } from './statistics';
import { aSignUp } from './testing/anEvent';

describe('people by level', () => {
  it('are counted from level 1 to the highest, with eliminated players apart', () => {
    const people = [
      aSignUp(1, { level: 1, status: 'eliminated' }),
      aSignUp(2, { level: 3, status: 'active' }),
      aSignUp(3, { level: 3 }),
    ];
    expect(countByLevel(people)).toEqual([
      { level: 1, playing: 0, eliminated: 1 },
      { level: 2, playing: 0, eliminated: 0 },
      { level: 3, playing: 2, eliminated: 0 },
    ]);
    expect(countByLevel([])).toEqual([]);
  });
});

describe('growth', () => {
  it('is counted in chronological order, whatever the order of the list', () => {
    const growth = growthOf([aSignUp(2), aSignUp(0), aSignUp(1)]);
    expect(growth.map(({ count }) => count)).toEqual([1, 2, 3]);
    expect(growth.map(({ at }) => at)).toEqual([...growth.map(({ at }) => at)].sort((a, b) => a - b));
  });

  it('of thousands is sampled, including the first and last point', () => {
    const growth = growthOf(Array.from({ length: 5_000 }, (_, at) => aSignUp(at)));
    expect(growth.length).toBeLessThanOrEqual(122);
    expect(growth[0]?.count).toBe(1);
    expect(growth.at(-1)?.count).toBe(5_000);
  });
});
