/** Tabs that are older than the server, without a service worker: its scripts are gone, and no error page is shown. */

import { expect, type Page } from '@playwright/test';
import { newPerson, test } from './fixtures';

/** From now on the server has another version, which the next load of the page gets. Returns how often it was loaded. */
async function serverIsNewer(page: Page): Promise<() => number> {
  let loads = 0;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads += 1;
  });
  await page.route('**/assets/**', (route) => (loads === 0 ? route.fulfill({ status: 404 }) : route.continue()));
  return () => loads;
}

test('a page whose script is gone is loaded anew, once', async ({ browser, appliance }) => {
  const { page } = await newPerson(browser, { baseURL: appliance.url, serviceWorkers: 'block' });
  const loads = await serverIsNewer(page);
  await page.getByRole('link', { name: 'Watch' }).first().click();
  await expect.poll(loads).toBe(1);
  await expect(page.getByRole('heading', { name: 'Live now' })).toBeVisible();
  await expect(page).toHaveURL(/\/app\/watch$/);
  expect(loads()).toBe(1);
  await page.context().close();
});

test('a part of a page that is gone is said, and the page stays as it is', async ({ browser, appliance }) => {
  const { page } = await newPerson(browser, { baseURL: appliance.url, serviceWorkers: 'block' });
  await page.goto('/app/setting/edit');
  const name = page.getByLabel('Display Name');
  await name.fill('Half written');
  const loads = await serverIsNewer(page);
  const image = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
  await page
    .getByLabel('Picture', { exact: true })
    .setInputFiles({ name: 'a.gif', mimeType: 'image/gif', buffer: image });
  await expect(page.getByText('A part of this page could not be loaded.')).toBeVisible();
  await expect(name).toHaveValue('Half written');
  expect(loads()).toBe(0);
  await page.getByRole('button', { name: 'Reload' }).click();
  await expect.poll(loads).toBe(1);
  await expect(name).toBeVisible();
  await page.context().close();
});

test('a public page that stood open is loaded anew at the first act', async ({ browser, appliance }) => {
  const context = await browser.newContext({ baseURL: appliance.url, serviceWorkers: 'block' });
  const page = await context.newPage();
  await page.goto('/');
  const loads = await serverIsNewer(page);
  // The page listens once its script has run.
  await expect(async () => {
    await page.keyboard.press('Tab');
    await expect.poll(loads, { timeout: 2_000 }).toBe(1);
  }).toPass();
  await expect(async () => {
    await page.keyboard.press('Tab');
    // The app has asked the server who is signed in.
    expect(await page.evaluate(() => document.cookie)).toContain('XSRF-TOKEN=');
  }).toPass();
  expect(loads()).toBe(1);
  await context.close();
});

test('a public page whose own script is gone is loaded anew', async ({ browser, appliance }) => {
  const context = await browser.newContext({ baseURL: appliance.url, serviceWorkers: 'block' });
  const page = await context.newPage();
  let loads = 0;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads += 1;
  });
  await page.route('**/assets/LoginPage-*', (route) =>
    loads === 1 ? route.fulfill({ status: 404 }) : route.continue(),
  );
  await page.goto('/login');
  // The document has the button already.
  await expect.poll(() => loads).toBe(2);
  await expect(page.getByRole('button', { name: 'Play as a guest' })).toBeVisible();
  expect(loads).toBe(2);
  await context.close();
});

test('an address without a page answers 404 with the app', async ({ browser, appliance }) => {
  const context = await browser.newContext({ baseURL: appliance.url });
  const page = await context.newPage();
  for (const [path, status] of [
    ['/nowhere', 404],
    ['/app/nowhere', 404],
    ['/app/setting/security', 200],
  ] as const) {
    expect((await page.goto(path))?.status(), path).toBe(status);
  }
  await page.goto('/nowhere');
  await expect(page.getByRole('heading', { name: "We can't seem to find the page you're looking for" })).toBeVisible();
  await context.close();
});
