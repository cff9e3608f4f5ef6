import { expect, newPerson, type Person, test } from './fixtures';
import { DESKTOP, expectAccessibleEverywhere, PHONE, resize, watchLayoutShifts } from './pageChecks';

test.use({ contextOptions: { reducedMotion: 'reduce' } });
// Axe is slow on a busy machine.
test.describe.configure({ timeout: 180_000 });

test('the live game fits a phone with both players visible, and does not shift while moves arrive', async ({ two }) => {
  const [ada, bob] = two;
  await ada.page.setViewportSize(PHONE);
  const moves = await watchLayoutShifts(ada.page);
  await ada.invite(bob, 6);
  await bob.accept(ada);
  await ada.sees('Your turn');
  await expectFits(ada, bob);
  const before = await moves();
  await ada.plays(1, 1);
  await bob.plays(2, 2);
  await ada.sees('Your turn');
  expect(await moves()).toEqual(before);
  await expectAccessibleEverywhere(ada.page);
});

async function expectFits({ page }: Person, other: Person) {
  const status = page.getByRole('region', { name: 'Game status' }).getByRole('heading');
  for (const part of [page.getByRole('grid'), page.getByText(other.name), status]) {
    await expect(part).toBeInViewport({ ratio: 1 });
  }
  const scrolls = await page.evaluate(() => document.documentElement.scrollHeight > window.innerHeight);
  expect(scrolls).toBe(false);
  for (const cell of await page.getByRole('gridcell').all()) {
    const box = await cell.boundingBox();
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
  }
}

test('the first screen is shown before the app is loaded, and does not shift when the app takes over', async ({
  browser,
  appliance,
}) => {
  // As in a browser that has not cached the app yet.
  const { page, name } = await newPerson(browser, { baseURL: appliance.url, serviceWorkers: 'block' });
  await page.setViewportSize(PHONE);
  const moves = await watchLayoutShifts(page);
  let letIn = () => {};
  const isIn = new Promise<void>((resolve) => (letIn = resolve));
  await page.route('**/assets/vendor-*.js', async (route) => {
    await isIn;
    await route.continue();
  });
  await page.goto('/app/home', { waitUntil: 'commit' });
  await expect(page.getByText('Looking for your games…')).toBeVisible();
  await expect(page.getByText('Practice', { exact: true })).toBeInViewport();
  await expect(page.getByText('Loading…')).toBeVisible();
  await page.evaluate(() => document.fonts.ready);
  letIn();
  await expect(page.getByRole('heading', { name: `Welcome, ${name}!` })).toBeVisible();
  await expect(page.getByText('No game under way.')).toBeVisible();
  await expect(page.getByText('No event is planned yet.')).toBeVisible();
  expect(await moves()).toEqual([]);
  await page.context().close();
});

test('the chosen theme is applied before the first paint', async ({ page }) => {
  await page.goto('/');
  const html = page.locator('html');
  await page.getByRole('switch', { name: 'Dark theme' }).click();
  await expect(html).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await page.reload({ waitUntil: 'commit' });
  await expect(html).toHaveAttribute('data-mantine-color-scheme', 'dark');
});

test('the navigation is at the side from 800 px, and at the bottom below', async ({ ada: { page } }) => {
  await page.goto('/app/practice');
  const places = page.getByRole('navigation', { name: 'Main' });
  for (const [width, isSide] of [
    [DESKTOP.width, true],
    [800, true],
    [799, false],
    [PHONE.width, false],
  ] as const) {
    await resize(page, { width, height: 800 });
    const box = await places.boundingBox();
    expect({ isNarrow: (box?.width ?? 0) < 240, isLow: (box?.y ?? 0) > 700 }).toEqual({
      isNarrow: isSide,
      isLow: !isSide,
    });
    for (const name of ['Home', 'Practice', isSide ? 'Settings' : 'You'])
      await expect(places.getByRole('link', { name })).toBeVisible();
  }
});
