import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expect } from './fixtures';
import { goTo, nameOf, PLACES, test } from './house';
import { DESK, look, PHONE, resize } from './look';
import { walk } from './walk';

// Axe takes its time on a busy machine.
test.describe.configure({ timeout: 120_000 });

test('no route is left out', () => {
  const source = readFileSync(new URL('../src/app/routes.tsx', import.meta.url), 'utf8');
  const routes = [...source.matchAll(/\bpath: '([^']+)'/g)].map(([, route]) => route);
  expect(routes.length).toBeGreaterThan(30);
  expect(routes.filter((route) => !PLACES.some((place) => place.route === route))).toEqual([]);
});

for (const place of PLACES) {
  test(`${nameOf(place)}: accessible by keyboard alone, and in every size and theme`, async ({ house }) => {
    const page = await goTo(house, place);
    for (const size of [PHONE, DESK]) {
      await resize(page, size);
      await expectReachable(page);
    }
    await look(page);
  });
}

/** Every control is reached by keyboard, in order and in sight. */
async function expectReachable(page: Page) {
  const { wanted, stops, hasEnd } = await walk(page);
  expect(stops.map(({ name }) => name)).toEqual(wanted);
  expect(stops.filter(({ isSeen }) => !isSeen)).toEqual([]);
  expect(stops.filter(({ under }) => under !== null)).toEqual([]);
  // Past the last one come the browser's own controls.
  expect(hasEnd || wanted.length < 2).toBe(true);
}
