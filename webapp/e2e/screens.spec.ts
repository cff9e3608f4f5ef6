import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expect } from './fixtures';
import { openScreen, describeScreen, SCREENS, test } from './screens';
import { DESKTOP, expectAccessibleEverywhere, PHONE, resize } from './pageChecks';
import { tabThrough } from './keyboard';

// Axe is slow on a busy machine. These tests come last and are dealt out one by one, which keeps both workers busy to the
// end.
test.describe.configure({ timeout: 120_000, mode: 'parallel' });

test('every route is in the list of screens', () => {
  const source = readFileSync(new URL('../src/app/routes.tsx', import.meta.url), 'utf8');
  const routes = [...source.matchAll(/\bpath: '([^']+)'/g)].map(([, route]) => route);
  expect(routes.length).toBeGreaterThan(30);
  expect(routes.filter((route) => !SCREENS.some((screen) => screen.route === route))).toEqual([]);
});

for (const screen of SCREENS) {
  test(`${describeScreen(screen)}: accessible by keyboard, and in every size and theme`, async ({ app }) => {
    const page = await openScreen(app, screen);
    for (const size of [PHONE, DESKTOP]) {
      await resize(page, size);
      await expectReachable(page);
    }
    await expectAccessibleEverywhere(page);
  });
}

/** The Tab key reaches every control in document order, each with a visible focus and not covered. */
async function expectReachable(page: Page) {
  const { expected, stops, hasEnd } = await tabThrough(page);
  expect(stops.map(({ name }) => name)).toEqual(expected);
  expect(stops.filter(({ hasFocusStyle }) => !hasFocusStyle)).toEqual([]);
  expect(stops.filter(({ coveredBy }) => coveredBy !== null)).toEqual([]);
  // After the last one the focus leaves the page.
  expect(hasEnd || expected.length < 2).toBe(true);
}
