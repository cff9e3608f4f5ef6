import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, type Person, test } from './fixtures';

const PHONE = { width: 390, height: 844 };
const DESK = { width: 1280, height: 800 };

async function expectAccessible(page: Page) {
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)).toEqual(
    [],
  );
}

async function expectNoSidewaysScroll(page: Page) {
  const excess = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(excess).toBeLessThanOrEqual(0);
}

/** Every size and theme that people have. */
async function look(page: Page) {
  for (const size of [PHONE, DESK]) {
    await page.setViewportSize(size);
    for (const theme of ['light', 'dark']) {
      await page.evaluate((value) => document.documentElement.setAttribute('data-mantine-color-scheme', value), theme);
      await expectNoSidewaysScroll(page);
      await expectAccessible(page);
    }
  }
}

test.use({ contextOptions: { reducedMotion: 'reduce' } });

for (const [path, heading] of [
  ['/', 'Game Modes'],
  ['/login', 'Welcome back'],
  ['/register', 'Create Account'],
  ['/replay/moves/3X0184762', 'Only move'],
  ['/nowhere', "We can't seem to find the page you're looking for"],
] as const) {
  test(`${path} is accessible in every size and theme`, async ({ page }) => {
    await page.goto(path);
    await expect(page.getByRole('heading', { name: heading })).toBeVisible();
    await look(page);
  });
}

test('the signed-in screens are accessible in every size and theme', async ({ two: [ada] }) => {
  const { page } = ada;
  for (const [path, heading] of [
    ['/app/home', `Welcome, ${ada.name}!`],
    ['/app/practice', 'Practice'],
    ['/app/practice/remote', 'Invite Friend'],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole('heading', { name: heading, exact: true })).toBeVisible();
    await look(page);
  }
});

test('the live game fits a phone with both players in sight, and nothing moves while moves arrive', async ({ two }) => {
  const [ada, bob] = two;
  await ada.page.setViewportSize(PHONE);
  await ada.invite(bob, 6);
  await bob.accept(ada);
  await ada.sees('Your turn');
  await expectFits(ada, bob);
  const shifts = await ada.page.evaluateHandle(() => {
    const seen: number[] = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.push((entry as PerformanceEntry & { value: number }).value);
    }).observe({ type: 'layout-shift' });
    return seen;
  });
  await ada.plays(1, 1);
  await bob.plays(2, 2);
  await ada.sees('Your turn');
  expect(await shifts.jsonValue()).toEqual([]);
  await look(ada.page);
});

async function expectFits({ page }: Person, other: Person) {
  for (const part of [page.getByRole('grid'), page.getByText(other.name), page.getByText(', your turn')]) {
    await expect(part).toBeInViewport({ ratio: 1 });
  }
  const scrolls = await page.evaluate(() => document.documentElement.scrollHeight > window.innerHeight);
  expect(scrolls).toBe(false);
  for (const cell of await page.getByRole('gridcell').all()) {
    const box = await cell.boundingBox();
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
  }
}

test('the chosen theme is there before anything is painted', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('switch', { name: 'Dark theme' }).click();
  await page.reload({ waitUntil: 'commit' });
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
});

test('no page loads the component library before it is needed', async ({ page }) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Game Modes' })).toBeVisible();
  expect(asked.filter((url) => url.includes('UiProvider'))).toEqual([]);
});
