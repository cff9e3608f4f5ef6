import type { Page } from '@playwright/test';
import { expect, test } from './fixtures';

/** Half of what goes wrong in a race does so once in 50 times. */
const TIMES = Number(process.env.MORPION_SIGN_OUTS ?? '50');

/** What is left of a person, by name; choices of the browser, such as the theme, are no part of them. */
const leftOf = (page: Page) =>
  page.evaluate(() =>
    ['morpion_last_user', 'morpion_recent_people', 'intendedUrl'].filter((key) => localStorage.getItem(key) !== null),
  );

test(`a sign-out leads every tab to /hello and leaves nothing behind, ${TIMES} times`, async ({ two: [ada, bob] }) => {
  test.setTimeout(600_000);
  const { page, name } = ada;
  const second = await page.context().newPage();
  for (let time = 1; time <= TIMES; time += 1) {
    if (time > 1) await signIn(page, name);
    await Promise.all([page.goto('/app/home'), second.goto('/app/events')]);
    // Somebody they played with, and a place they wanted to go.
    await page.evaluate((username) => {
      const person = { userId: username, username, lastPlayed: new Date().toISOString(), playCount: 1 };
      localStorage.setItem('morpion_recent_people', JSON.stringify([person]));
      localStorage.setItem('intendedUrl', '/app/practice');
    }, bob.name);
    await Promise.all([page, second].map((tab) => tab.getByRole('button', { name: 'Log Out' }).waitFor()));
    // Now in one tab, now in the other.
    const leaving = time % 2 === 0 ? second : page;
    await leaving.getByRole('button', { name: 'Log Out' }).click();
    for (const tab of [page, second]) {
      await expect(tab, `time ${time}`).toHaveURL(/\/hello$/);
      await expect(tab.getByRole('heading', { name: 'Game Modes' })).toBeVisible();
    }
    expect(await leftOf(page), `time ${time}`).toEqual([]);
  }
  await second.close();
});

async function signIn(page: Page, name: string): Promise<void> {
  const status = await page.evaluate(async (email) => {
    await fetch('/api/auth/check-login');
    const token = /XSRF-TOKEN=([^;]+)/.exec(document.cookie)?.[1] ?? '';
    const answer = await fetch('/api/auth/login', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-XSRF-TOKEN': decodeURIComponent(token) },
      body: JSON.stringify({ email, password: 'Chalk-and-1nk', isGoogleAccount: false }),
    });
    return answer.status;
  }, `${name}@example.org`);
  expect(status).toBe(200);
}
