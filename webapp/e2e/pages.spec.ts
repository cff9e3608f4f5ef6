import { expect, type Person, test } from './fixtures';
import { look, PHONE } from './look';

test.use({ contextOptions: { reducedMotion: 'reduce' } });
// Axe goes over each page four times, which takes its time on a busy machine.
test.describe.configure({ timeout: 180_000 });

for (const [path, heading] of [
  ['/', 'Game Modes'],
  ['/hello', 'Game Modes'],
  ['/tournaments', 'Tournaments'],
  ['/legal', 'Legal Information'],
  ['/terms', 'Terms & Conditions'],
  ['/termsconditon', 'Terms & Conditions'],
  ['/privacy-policy', 'Privacy Policy'],
  ['/privacy', 'Privacy Policy'],
  ['/cookies', 'Cookies Policy'],
  ['/login', 'Welcome back'],
  ['/register', 'Create Account'],
  ['/app/events', 'Events'],
  ['/replay/moves/3X0184762', 'Only move'],
  ['/nowhere', "We can't seem to find the page you're looking for"],
] as const) {
  test(`${path} is accessible in every size and theme`, async ({ page }) => {
    await page.goto(path);
    await expect(page.getByRole('heading', { name: heading }).first()).toBeVisible();
    await look(page);
  });
}

test('recovering a password is accessible in every size and theme', async ({ page }) => {
  await page.goto('/changepassword');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await look(page);
});

test('the signed-in screens are accessible in every size and theme', async ({ two: [ada] }) => {
  test.slow();
  const { page } = ada;
  for (const path of [
    '/app/home',
    '/app/accountSetup',
    '/app/practice',
    '/app/practice/local',
    '/app/practice/ai',
    '/app/practice/remote',
    '/app/events',
    '/app/kyc',
    '/app/setting/edit',
    '/app/setting/subscription',
    '/app/setting/termsCondition',
    '/app/setting/help',
  ]) {
    await test.step(path, async () => {
      await page.goto(path);
      await expect(page.getByRole('heading').first()).toBeVisible();
      await look(page);
    });
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
  const html = page.locator('html');
  await page.getByRole('switch', { name: 'Dark theme' }).click();
  await expect(html).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await page.reload({ waitUntil: 'commit' });
  await expect(html).toHaveAttribute('data-mantine-color-scheme', 'dark');
});
