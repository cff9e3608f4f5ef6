import type { Locator, Page } from '@playwright/test';
import { call } from './calls';
import { expect, newPerson, PASSWORD, type Person, playOut, test } from './fixtures';
import { expectAccessibleEverywhere } from './pageChecks';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

/** An item of the menu of this person. */
async function menuItem({ page }: Person, about: Person, name: string): Promise<Locator> {
  await page.getByRole('button', { name: `More about ${about.name}` }).click();
  return page.getByRole('menuitem', { name });
}

async function idOf({ page }: Person): Promise<string> {
  const response = await page.request.get('/api/auth/check-login');
  const { user } = (await response.json()) as { user: { userId: string } };
  return user.userId;
}

function read(resource: string, action: string, payload: object): string {
  return `/api/backend/${resource}?action=${action}&payload=${encodeURIComponent(JSON.stringify(payload))}`;
}

/** The waiting games that somebody is shown. */
async function waitingGames(person: Person): Promise<unknown[]> {
  const payload = { userId: await idOf(person), status: ['waiting'] };
  const answer = await person.page.request.get(read('game', 'get_games_by_user', payload));
  return ((await answer.json()) as { games: unknown[] }).games;
}

const offer = (page: Page, { name }: Person) => page.getByText(`${name} invites you to a game`);

test('who is blocked reaches nobody and sees nothing of it, until unblocked', async ({ two: [ada, bob] }) => {
  await playOut(ada, bob);

  await test.step('blocked from the result of a game, and again after an undo', async () => {
    await (await menuItem(ada, bob, 'Block')).click();
    await expect(ada.page.getByText(`${bob.name} is blocked.`)).toBeVisible();
    await ada.page.getByRole('button', { name: 'Undo' }).click();
    await expect(ada.page.getByText(`${bob.name} is no longer blocked.`)).toBeVisible();
    await (await menuItem(ada, bob, 'Block')).click();
    await expect(ada.page.getByRole('button', { name: 'Undo' })).toBeVisible();
  });

  await test.step('the invitation is made, but not delivered', async () => {
    await ada.page.goto('/app/home');
    await ada.sees(`Welcome, ${ada.name}!`);
    await bob.invite(ada);
    expect(await waitingGames(bob)).toHaveLength(1);
    expect(await waitingGames(ada)).toEqual([]);
    // Notices arrive within milliseconds.
    await ada.page.waitForTimeout(1_500);
    await expect(offer(ada.page, bob)).toBeHidden();
    const seen = await bob.page.request.get(read('userprofile', 'get_user_by_id', { userId: await idOf(ada) }));
    expect(await seen.json()).toMatchObject({ succeeded: true, user: { username: ada.name, blockedByMe: false } });
    await bob.page.getByRole('button', { name: 'Cancel Invitation' }).click();
  });

  await test.step('unblocked in the settings', async () => {
    await ada.page.goto('/app/setting/blocked');
    await expect(ada.page.getByRole('listitem').filter({ hasText: bob.name })).toBeVisible();
    await expectAccessibleEverywhere(ada.page);
    await ada.page.getByRole('button', { name: `Unblock ${bob.name}` }).click();
    await expect(ada.page.getByText('You have not blocked anybody.')).toBeVisible();
  });

  await test.step('and invites again', async () => {
    await ada.page.goto('/app/home');
    await ada.sees(`Welcome, ${ada.name}!`);
    await bob.invite(ada);
    await expect(offer(ada.page, bob)).toBeVisible();
  });
});

test('a report arrives with the game and the names as they were', async ({ two: [ada, bob], browser, appliance }) => {
  await playOut(ada, bob);
  const { page } = ada;
  const gameId = /\/app\/game\/([\w-]+)/.exec(page.url())?.[1];
  await page.goto(`/app/game/${gameId}/replay`);
  await (await menuItem(ada, bob, 'Report…')).click();
  const dialog = page.getByRole('dialog', { name: `Report ${bob.name}` });
  await dialog.getByRole('radio', { name: /^Behaviour/ }).check();
  await dialog.getByLabel('What happened?').fill('Gave up after one move.\nTwice.');
  await expect(dialog.getByText('This game will be attached to the report.')).toBeVisible();
  await expectAccessibleEverywhere(page);
  await dialog.getByRole('button', { name: 'Send report' }).click();
  const sent = page.getByRole('dialog', { name: 'Report sent' });
  await expect(sent.getByRole('status')).toContainText('Thank you.');
  await sent.getByRole('button', { name: 'Done' }).click();
  await expect(sent).toBeHidden();

  const admin = await newPerson(browser, { baseURL: appliance.url });
  await admin.promote(appliance);
  const answer = await admin.page.request.get(read('admin', 'list_reports', { state: 'open' }));
  const { reports } = (await answer.json()) as { reports: { gameId?: string }[] };
  expect(reports.filter((report) => report.gameId === gameId)).toMatchObject([
    {
      kind: 'behaviour',
      text: 'Gave up after one move. Twice.',
      reporter: { username: ada.name },
      subject: { username: bob.name },
      evidence: { username: bob.name, displayName: bob.name },
      sameSubjectOpen: 1,
    },
  ]);
  await admin.page.context().close();
});

test('the page of somebody who is suspended leads to the reason', async ({ two: [ada, bob], browser, appliance }) => {
  await ada.invite(bob);
  await bob.accept(ada);
  const admin = await newPerson(browser, { baseURL: appliance.url });
  await admin.promote(appliance);
  const suspension = { userId: await idOf(bob), reason: 'Stalls.', until: '2099-01-31T12:00:00Z' };
  await call(admin.page, 'admin', 'suspend_user', suspension);

  const { page } = bob;
  await expect(page.getByRole('heading', { name: 'Account suspended' })).toBeVisible();
  await page.getByRole('link', { name: 'Back to sign-in' }).click();
  await page.getByLabel('Email').fill(`${bob.name}@example.org`);
  await page.getByLabel(/^Password/).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Account suspended' })).toBeVisible();
  await expect(page.getByRole('alert')).toContainText('Stalls.');
  await expect(page.getByRole('time')).toHaveAttribute('datetime', '2099-01-31T12:00:00Z');
  await expect(page.getByRole('time')).toHaveText(/Jan 31, 2099/);
  await expectAccessibleEverywhere(page);
  await ada.sees('You Won!');
  await admin.page.context().close();
  // The refused sign-in, and calls of the page whose session had just ended.
  bob.errors.splice(0, bob.errors.length, ...bob.errors.filter((error) => !/status of (401|403)/.test(error)));
});
