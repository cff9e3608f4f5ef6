import type { Locator, Page } from '@playwright/test';
import { call } from './calls';
import { expect, newPerson, PASSWORD, type Person, test } from './fixtures';
import { accountOf } from './screens';

const REASON = 'Insults in every game.';

async function signIn({ page, name }: Person): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('Email').fill(`${name}@example.org`);
  await page.getByLabel(/^Password/).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** What the browser logs for calls of somebody who may not make them any more. */
function expectRefusals({ errors }: Person): void {
  expect(errors.filter((error) => !/status of (401|403)/.test(error))).toEqual([]);
  errors.length = 0;
}

/** Chooses an item of the menu of what an admin can do to somebody. */
async function choose(page: Page, place: Locator, name: string, item: string): Promise<void> {
  await place.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

test('a report leads to a suspension, which ends the session, and is lifted', async ({
  ada,
  appliance,
  browser,
  baseURL,
}) => {
  const options = baseURL === undefined ? {} : { baseURL };
  const [mallory, admin] = await Promise.all([newPerson(browser, options), newPerson(browser, options)]);
  await appliance.command('admin', 'promote', admin.name);
  const { page } = admin;
  const { userId } = await accountOf(mallory.page);
  const report = { userId, kind: 'behaviour', text: 'Insults everybody.' };
  await call(ada.page, 'userprofile', 'report_user', report);

  await page.goto('/app/home');
  await page.getByRole('link', { name: 'Reports 1 open' }).click();
  const entry = page.getByRole('listitem').filter({ hasText: 'Insults everybody.' });
  await expect(entry).toContainText(`${ada.name} reports ${mallory.name}`);
  await expect(entry.getByRole('definition').first()).toHaveText(mallory.name);

  await choose(page, entry, mallory.name, 'Suspend…');
  const dialog = page.getByRole('dialog', { name: `Suspend ${mallory.name}` });
  await dialog.getByLabel('How long').selectOption('1 week');
  await dialog.getByLabel('Reason').fill(REASON);
  await dialog.getByRole('button', { name: 'Suspend' }).click();
  await expect(entry.getByText(/^Suspended until /)).toBeVisible();

  await expect(mallory.page).toHaveURL(/\/hello$/);
  await signIn(mallory);
  await expect(mallory.page.getByText(/This account is suspended/)).toContainText(REASON);

  await entry.getByRole('button', { name: /^Uphold the report/ }).click();
  await page.getByLabel('Note').fill('Suspended for a week.');
  await page.getByRole('button', { name: 'Uphold', exact: true }).click();
  await expect(page.getByText('Nobody needs you: no report is open.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Reports', exact: true })).toBeVisible();
  await page.getByRole('tab', { name: 'Closed' }).click();
  await expect(page.getByText(/^Upheld by .*: Suspended for a week\.$/)).toBeVisible();

  await page.goto('/app/admin/users?filter=suspended');
  const row = page.getByRole('listitem').filter({ hasText: mallory.name });
  await expect(row).toContainText(`Reason: ${REASON}`);
  await choose(page, row, mallory.name, 'Lift suspension');
  await expect(page.getByText('Nobody is suspended.')).toBeVisible();
  await signIn(mallory);
  await mallory.sees(`Welcome, ${mallory.name}!`);

  expectRefusals(mallory);
  expect(admin.errors).toEqual([]);
  await Promise.all([mallory, admin].map((person) => person.page.context().close()));
});

test('the last admin cannot suspend themselves, and other admins lose their rights', async ({
  browser,
  baseURL,
  appliance,
}) => {
  const options = baseURL === undefined ? {} : { baseURL };
  const [grace, linus] = await Promise.all([newPerson(browser, options), newPerson(browser, options)]);
  for (const { name } of [grace, linus]) await appliance.command('admin', 'promote', name);
  const { page } = grace;
  await page.goto(`/app/admin/users?q=${linus.name}`);
  await choose(page, page.getByRole('main'), linus.name, 'Delete…');
  const dialog = page.getByRole('dialog', { name: `Delete the account of ${linus.name}` });
  await dialog.getByLabel(`Type ${linus.name} to confirm`).fill(linus.name);
  await dialog.getByLabel('Reason').fill(REASON);
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await expect(page.getByText('Nobody fits this search.')).toBeVisible();
  await expect(linus.page).toHaveURL(/\/hello$/);

  await page.goto(`/app/admin/users?q=${grace.name}`);
  await page.getByRole('button', { name: `Actions for ${grace.name}` }).click();
  await expect(page.getByText('You cannot suspend or delete yourself.')).toBeVisible();
  await expect(page.getByRole('menuitem')).toHaveText(['Rename…']);

  expectRefusals(linus);
  expect(grace.errors).toEqual([]);
  await Promise.all([grace, linus].map((person) => person.page.context().close()));
});
