import { readFileSync } from 'node:fs';
import { expect } from './fixtures';
import { goTo, nameOf, PLACES, test } from './house';
import { look } from './look';

// Axe takes its time on a busy machine.
test.describe.configure({ timeout: 120_000 });

test('no route is left out', () => {
  const source = readFileSync(new URL('../src/app/routes.tsx', import.meta.url), 'utf8');
  const routes = [...source.matchAll(/\bpath: '([^']+)'/g)].map(([, route]) => route);
  expect(routes.length).toBeGreaterThan(30);
  expect(routes.filter((route) => !PLACES.some((place) => place.route === route))).toEqual([]);
});

for (const place of PLACES) {
  test(`${nameOf(place)}: accessible in every size and theme`, async ({ house }) => {
    await look(await goTo(house, place));
  });
}
