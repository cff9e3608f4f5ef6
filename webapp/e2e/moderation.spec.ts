import type { Page } from '@playwright/test';
import { call } from './calls';
import { expect, newPerson, PASSWORD, type Person, test } from './fixtures';
import { expectAccessibleEverywhere } from './pageChecks';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

async function signIn(page: Page, { name }: Person): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('Email').fill(`${name}@example.org`);
  await page.getByLabel(/^Password/).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

async function idOf({ page }: Person): Promise<string> {
  const response = await page.request.get('/api/auth/check-login');
  const { user } = (await response.json()) as { user: { userId: string } };
  return user.userId;
}

test('a report leads to a suspension, which ends again', async ({ browser, appliance, two: [ada, bob] }) => {
  const admin = await newPerson(browser, { baseURL: appliance.url });
  await admin.promote(appliance);
  const text = 'Insults everybody <b>in bold</b>.';
  await call(ada.page, 'userprofile', 'report_user', { userId: await idOf(bob), kind: 'name', text });

  const { page } = admin;
  await test.step('the admin finds the report, with what was there at the time', async () => {
    await page.goto('/app/admin/users');
    await page.getByRole('link', { name: /^Reports \d+ open$/ }).click();
    const report = page.getByRole('list', { name: 'Open reports' }).getByRole('listitem').filter({ hasText: text });
    await expect(report.getByRole('heading', { name: 'Name' })).toBeVisible();
    await expect(report.getByRole('link', { name: ada.name })).toBeVisible();
    await expect(report.getByText('Username then')).toBeVisible();
    await expectAccessibleEverywhere(page);
  });

  await test.step('suspends the person, and closes the report', async () => {
    const report = page.getByRole('list', { name: 'Open reports' }).getByRole('listitem').filter({ hasText: text });
    await report.getByRole('button', { name: `Actions for ${bob.name}` }).click();
    await page.getByRole('menuitem', { name: 'Suspend…' }).click();
    const dialog = page.getByRole('dialog', { name: `Suspend ${bob.name}` });
    await dialog.getByLabel('How long').selectOption('Indefinitely');
    await dialog.getByLabel('Reason').fill('Insults in a name.');
    await expectAccessibleEverywhere(page);
    await dialog.getByRole('button', { name: 'Suspend' }).click();
    await expect(dialog).toBeHidden();
    await expect(report.getByText('Suspended indefinitely')).toBeVisible();
    await report.getByRole('button', { name: `Uphold the report about ${bob.name}…` }).click();
    const closing = page.getByRole('dialog', { name: `Uphold the report about ${bob.name}` });
    await closing.getByLabel('Note').fill('Suspended.');
    await closing.getByRole('button', { name: 'Uphold' }).click();
    await expect(report).toBeHidden();
    await page.getByRole('tab', { name: 'Closed' }).click();
    const closed = page.getByRole('list', { name: 'Closed reports' }).getByRole('listitem').filter({ hasText: text });
    await expect(closed.getByText(`by ${admin.name}`)).toBeVisible();
  });

  await test.step('the person is signed out, and told why', async () => {
    await expect(bob.page.getByRole('heading', { name: 'Account suspended' })).toBeVisible();
    await expect(bob.page.getByText('Insults in a name.')).toBeVisible();
    await expectAccessibleEverywhere(bob.page);
    const other = await (await browser.newContext({ baseURL: appliance.url })).newPage();
    await signIn(other, bob);
    await expect(other.getByRole('heading', { name: 'Account suspended' })).toBeVisible();
    await expect(other.getByText('Insults in a name.')).toBeVisible();
    await other.context().close();
  });

  await test.step('until the suspension is lifted', async () => {
    await page.goto('/app/admin/users?filter=suspended');
    const row = page.getByRole('listitem').filter({ hasText: bob.name });
    await expect(row).toContainText('Suspended indefinitely');
    await expect(row).toContainText('Reason: Insults in a name.');
    await page.getByRole('button', { name: `Actions for ${bob.name}` }).click();
    await page.getByRole('menuitem', { name: 'Lift suspension' }).click();
    await expect(page.getByText(`${bob.name} may sign in again.`)).toBeVisible();
    const other = await (await browser.newContext({ baseURL: appliance.url })).newPage();
    await signIn(other, bob);
    await expect(other).toHaveURL(/\/app\/home$/);
    await other.context().close();
    await page.goto('/app/admin/audit');
    for (const action of ['Suspend user', 'Close report', 'Lift suspension']) {
      await expect(page.getByRole('row', { name: new RegExp(action, 'i') }).first()).toBeVisible();
    }
  });
});

test('an admin deletes another, but neither suspends nor deletes themselves', async ({ browser, appliance }) => {
  const [grace, linus] = await Promise.all([1, 2].map(() => newPerson(browser, { baseURL: appliance.url })));
  if (grace === undefined || linus === undefined) throw new Error('two people');
  for (const person of [grace, linus]) await person.promote(appliance);
  const { page } = grace;
  await page.goto(`/app/admin/users?q=${linus.name}`);
  await page.getByRole('button', { name: `Actions for ${linus.name}` }).click();
  await page.getByRole('menuitem', { name: 'Delete…' }).click();
  const dialog = page.getByRole('dialog', { name: `Delete the account of ${linus.name}` });
  await dialog.getByLabel('Reason').fill('Insults.');
  await dialog.getByLabel(/^Type .* to confirm$/).fill(grace.name);
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await expect(dialog.getByLabel(/^Type .* to confirm$/)).toHaveAttribute('aria-invalid', 'true');
  await dialog.getByLabel(/^Type .* to confirm$/).fill(linus.name);
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await expect(page.getByText('Nobody fits this search.')).toBeVisible();
  await expect(linus.page).toHaveURL(/\/login$/);

  await page.goto(`/app/admin/users?q=${grace.name}`);
  await page.getByRole('button', { name: `Actions for ${grace.name}` }).click();
  await expect(page.getByText('You cannot suspend or delete yourself.')).toBeVisible();
  await expect(page.getByRole('menuitem')).toHaveText(['Rename…']);
  expect(grace.errors).toEqual([]);
  await Promise.all([grace, linus].map((person) => person.page.context().close()));
});

test('an admin helps with a one-time link, which sets a password once and ends the sessions', async ({
  browser,
  appliance,
  two: [admin, bob],
}) => {
  // Axe is slow on a busy machine.
  test.slow();
  await admin.promote(appliance);
  const { page } = admin;
  const link = await test.step('the admin makes the link', async () => {
    // Others may fill the first page.
    await page.goto(`/app/admin/users?q=${bob.name}`);
    await page.getByRole('button', { name: bob.name, exact: true }).click();
    await page.getByRole('button', { name: 'Make One-Time Link' }).click();
    const dialog = page.getByRole('dialog', { name: 'One-Time Link' });
    await dialog.getByRole('textbox', { name: /^Reason/ }).fill('No mail here.');
    await dialog.getByRole('button', { name: 'Make Link' }).click();
    const field = dialog.getByRole('textbox', { name: 'One-time link' });
    await expect(field).toHaveValue(/\/new-password#/);
    await expectAccessibleEverywhere(page);
    return field.inputValue();
  });
  const context = await browser.newContext({ baseURL: appliance.url });
  const other = await context.newPage();
  const newPassword = 'Paper-and-1nk';
  await test.step('its owner opens it in another browser and sets a password', async () => {
    await other.goto(link);
    await expect(other.getByText(`For the account ${bob.name}.`)).toBeVisible();
    await expectAccessibleEverywhere(other);
    await other.getByLabel(/^New password/).fill(newPassword);
    await other.getByLabel(/^Retype the new password/).fill(newPassword);
    await other.getByRole('button', { name: 'Set password' }).click();
    await expect(other).toHaveURL(/\/login$/);
    await other.getByLabel('Email').fill(`${bob.name}@example.org`);
    await other.getByLabel(/^Password/).fill(newPassword);
    await other.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(other.getByRole('heading', { name: `Welcome, ${bob.name}!` })).toBeVisible();
  });
  await test.step('the session from before has ended, and the link works once', async () => {
    await bob.page.goto('/app/setting/security');
    await expect(bob.page).toHaveURL(/\/login$/);
    await page.goto(link);
    await expect(page.getByRole('button', { name: 'Set password' })).toBeHidden();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  });
  await context.close();
});
