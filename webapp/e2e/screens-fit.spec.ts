import type { Page } from '@playwright/test';
import { call } from './calls';
import { expect } from './fixtures';
import { misfits } from './fit';
import { DESKTOP, PHONE, resize } from './pageChecks';
import { accountOf, describeScreen, openScreen, SCREENS, type SeededApp, test } from './screens';

test.describe.configure({ timeout: 60_000, mode: 'parallel' });

const SIZES = [
  { width: 320, height: 568 },
  PHONE,
  { width: 768, height: 1024 },
  DESKTOP,
  // The desktop's window at 200 %.
  { width: DESKTOP.width / 2, height: DESKTOP.height / 2 },
];

/** As wide as a name can be, and without a place to break it. */
const ADA = 'W'.repeat(18);
const BOB = 'Ω漢字かな交じり文の名前の長い例で';

const isRenamed = new WeakSet<SeededApp>();

async function rename(app: SeededApp, names: readonly [string, string, string]) {
  for (const [at, { page }] of [app.ada, app.bob, app.admin].entries()) {
    const { userId } = await accountOf(page);
    await call(page, 'userprofile', 'update_user_profile', { userId, displayName: names[at] });
  }
}

async function giveLongNames(app: SeededApp) {
  if (isRenamed.has(app)) return;
  isRenamed.add(app);
  await rename(app, [ADA, BOB, ADA]);
}

// The worker's other tests look for the names that people registered with.
test.afterAll(async ({ app }) => {
  if (!isRenamed.delete(app)) return;
  await rename(app, [app.ada.name, app.bob.name, app.admin.name]);
});

/** Paths that show the same as another. */
const ALIASES = ['/app', '/hello', '/termsconditon', '/privacy', '/app/admin'];

for (const screen of SCREENS.filter(({ route }) => !ALIASES.includes(route))) {
  test(`${describeScreen(screen)}: everything fits, with long names`, async ({ app }) => {
    await giveLongNames(app);
    const page = await openScreen(app, screen);
    for (const size of SIZES) {
      await resize(page, size);
      // A page needs a moment to settle at another size.
      await expect.poll(() => misfits(page), { message: `${size.width} px`, timeout: 3_000 }).toEqual([]);
    }
  });
}

const isInView = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => {
    const { top, bottom, left, right } = element.getBoundingClientRect();
    const at = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return top >= 0 && bottom <= innerHeight && element.contains(at);
  });

test('the sidebar of an admin ends with Log Out, in view', async ({ app }) => {
  const { page } = app.admin;
  await page.goto('/app/admin/events');
  for (const height of [800, 600]) {
    await resize(page, { width: 1280, height });
    expect(await isInView(page, 'header button[aria-label="Log Out"]'), `${height} px`).toBe(true);
  }
});

test('the first step of a quick match is in view on a phone', async ({ app }) => {
  const { page } = app.ada;
  await resize(page, PHONE);
  await page.goto('/app/play');
  await page.getByRole('button', { name: 'Find an opponent' }).waitFor();
  expect(await isInView(page, 'main button:has-text("Find an opponent")')).toBe(true);
});

const DIALOGS = [
  { viewer: 'admin', path: '/app/admin/events', open: 'Create Event' },
  { viewer: 'ada', path: '/app/setting/edit', open: 'Delete Account' },
  { viewer: 'ada', path: '/app/practice/ai', open: 'Settings' },
] as const;

for (const { viewer, path, open } of DIALOGS) {
  test(`the buttons of the dialog behind '${open}' are in view`, async ({ app }) => {
    const { page } = app[viewer];
    await resize(page, DESKTOP);
    await page.goto(path);
    await page.getByRole('main').getByRole('button', { name: open, exact: true }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toBeVisible();
    for (const size of [DESKTOP, PHONE]) {
      await resize(page, size);
      const last = dialog.getByRole('button').last();
      await expect
        .poll(
          () =>
            last.evaluate((button) => {
              const { top, bottom, left, right } = button.getBoundingClientRect();
              return (
                top >= 0 &&
                bottom <= innerHeight &&
                button.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2))
              );
            }),
          { message: `${size.width} px` },
        )
        .toBe(true);
    }
  });
}
