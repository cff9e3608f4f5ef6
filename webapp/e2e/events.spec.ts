import { Appliance } from './appliance';
import {
  DRAW_MOVES,
  createLiveEvent,
  type Pair,
  attachScreenshot,
  cancelNextMatch,
  findMatches,
  playToWin,
  WIN_MOVES,
} from './eventPlay';
import { call } from './calls';
import { expect, newPerson, type Person, playInTurn, test as base } from './fixtures';

/** Low enough for a test to reach the limit. */
const FREE_EVENTS = 2;

/** A separate server with its own limit of free events, where no other test looks for opponents. */
const test = base.extend<object, { appliance: Appliance }>({
  appliance: [
    // eslint-disable-next-line no-empty-pattern -- playwright wants the pattern
    async ({}, use) => {
      const appliance = await Appliance.start({ MORPION_PLANS__FREE_EVENTS_PER_MONTH: String(FREE_EVENTS) });
      await use(appliance);
      await appliance.remove();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
});

/** A step that is not possible fails before the whole test times out. */
test.use({ actionTimeout: 40_000, contextOptions: { reducedMotion: 'reduce' } });

/** Picks noon of a day of the next month in the picker with that label. */
async function pick({ page }: Person, label: string, day: number): Promise<void> {
  await page.getByRole('button', { name: label, exact: true }).click();
  await page.getByRole('button', { name: 'Next month' }).click();
  await page.getByRole('button', { name: new RegExp(`^${day} `) }).click();
  await page.getByRole('button', { name: 'Use this time' }).click();
  // The other picker has buttons with the same names.
  await expect(page.getByRole('button', { name: 'Use this time' })).toHaveCount(0);
}

test('an event, from the draft to the winners', { tag: '@crowd' }, async ({ browser, appliance }, info) => {
  // Five browsers are slow on a busy machine.
  test.setTimeout(300_000);
  const [admin, ...players] = await Promise.all(
    Array.from({ length: 5 }, () => newPerson(browser, { baseURL: appliance.url })),
  );
  const [ada, bob] = players;
  if (admin === undefined || ada === undefined || bob === undefined) throw new Error('five people');
  await admin.promote(appliance);

  const warmUp = await createLiveEvent(admin, 'Warm-up');
  const encore = await createLiveEvent(admin, 'Encore');
  // After one more event both have used up the free plan; Ada has Pro.
  await appliance.command('pro', 'grant', ada.name, '--reason', 'Plays in a test');
  await Promise.all([ada, bob].map(({ page }) => call(page, 'event', 'join_event', { eventId: warmUp })));

  await test.step('the admin drafts and publishes it', async () => {
    const { page } = admin;
    await page.goto('/app/admin/events');
    await page.getByRole('button', { name: 'Create Event' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create Event' });
    await dialog.getByLabel('Title').fill('Chalk Cup');
    await dialog.getByLabel('Prize').fill('A box of coloured chalk');
    await pick(admin, 'Start time', 10);
    await pick(admin, 'End time', 11);
    await dialog.getByLabel('Losses until eliminated').fill('2');
    await dialog.getByRole('button', { name: 'Create Event' }).click();
    await expect(page.getByRole('heading', { name: 'Chalk Cup' })).toBeVisible();
    await attachScreenshot(info, admin, 'draft');
    await page.getByRole('button', { name: 'Publish Event' }).click();
    await expect(page.getByRole('button', { name: 'Start Event' })).toBeVisible();
  });

  await test.step('four players register', async () => {
    await Promise.all(
      players.map(async ({ page }) => {
        await page.getByRole('link', { name: 'Events', exact: true }).first().click();
        await page.getByRole('article', { name: 'Chalk Cup' }).getByRole('link', { name: 'Register Now' }).click();
        await page.getByRole('button', { name: 'Register Now' }).click();
        await expect(page.getByRole('button', { name: 'Unregister' })).toBeVisible();
        await expect(page.getByRole('timer')).toBeVisible();
      }),
    );
    await attachScreenshot(info, ada, 'registered');
  });

  await test.step('the admin starts it, and every page turns live by itself', async () => {
    await admin.page.getByRole('button', { name: 'Start Event' }).click();
    await Promise.all(
      players.map(async ({ page }) => {
        await page.getByRole('button', { name: 'Join Tournament' }).click();
        await page.getByRole('button', { name: 'Find Match' }).waitFor();
      }),
    );
    await attachScreenshot(info, ada, 'room');
  });

  const [drawn, quick] = await test.step('all four are waitForPairs', async () => {
    const pairs = await findMatches(players);
    expect(pairs).toHaveLength(2);
    return pairs as [Pair, Pair];
  });

  const [slow, absent] = await test.step('a drawn round becomes a new one; the other game is won at once', async () => {
    const [first, second] = drawn;
    const redo: Pair = [second, first];
    await Promise.all([
      playToWin(quick).then(() => cancelNextMatch(quick)),
      (async () => {
        await playInTurn(drawn, DRAW_MOVES.slice(0, -1));
        // The last move fills the board, and a new round begins.
        await first.cell(3, 3).click();
        const notice = 'Round 1 ended in a draw. Starting new round...';
        await Promise.all(
          drawn.map(({ page }) => expect(page.getByText(notice, { exact: true }).first()).toBeVisible()),
        );
        await Promise.all([second.sees('Your turn'), first.sees(`${second.name}'s turn`)]);
        await attachScreenshot(info, first, 'new round');
        // The other one starts the new round, and the notice disappears with the first move.
        await second.cell(1, 1).click();
        await expect(first.cell(1, 1)).toHaveAccessibleName(/, [XO]$/);
        await playInTurn([first, second], WIN_MOVES.slice(1));
        await Promise.all([second.sees('You Won!'), first.sees(`${second.name} Won!`)]);
        await cancelNextMatch(drawn);
      })(),
    ]);
    return [redo, quick];
  });

  const winners = [slow[0], absent[0]];
  const losers = [slow[1], absent[1]];
  // The losers search first, so that they are not paired with a player of another level.
  const [[gone, patient] = quick] = await test.step('the losers meet', () => findMatches(losers));

  const [champion] = await test.step('a lost connection that comes back, and one that does not', async () => {
    const [[forWinners]] = await Promise.all([
      findMatches(winners).then(async ([pair = quick]) => {
        await pair[1].page.reload();
        await playToWin(pair);
        await cancelNextMatch(pair);
        return [pair];
      }),
      (async () => {
        // Their browser disappears on their turn.
        await gone.page.context().setOffline(true);
        await gone.page.goto('about:blank');
        const away = /^Opponent disconnected\. Waiting for reconnection\.\.\. \(\d+s\)$/;
        await expect(patient.page.getByText(away)).toBeVisible();
        await attachScreenshot(info, patient, 'opponent gone');
        const won = patient.page.getByText(/^\S+ (ran out of time|was away for too long)\.$/);
        await expect(won).toBeVisible({ timeout: 40_000 });
        await cancelNextMatch([patient]);
      })(),
    ]);
    return forWinners ?? quick;
  });

  await test.step('two losses are enough', async () => {
    await gone.page.context().setOffline(false);
    await gone.page.goto('/app/events');
    await gone.page.getByRole('article', { name: 'Chalk Cup' }).getByRole('link', { name: 'Join Event' }).click();
    await gone.sees("You've Been Eliminated");
    await gone.page.getByRole('tab', { name: 'Leaderboard' }).click();
    await expect(gone.page.getByRole('row', { name: new RegExp(gone.name) })).toContainText('Eliminated');
    const level = gone.page
      .getByRole('row', { name: new RegExp(champion.name) })
      .getByRole('cell')
      .nth(1);
    await expect(level).toHaveText('3');
    await attachScreenshot(info, gone, 'eliminated');
  });

  await test.step('every loss can be traced to its game', async () => {
    await gone.page.getByRole('button', { name: `Games of ${gone.name}` }).click();
    const receipts = gone.page.getByRole('dialog').getByRole('listitem');
    await expect(receipts).toHaveCount(2);
    await expect(receipts.filter({ hasText: `Lost against ${patient.name}` })).toHaveCount(1);
    await attachScreenshot(info, gone, 'receipts');
    await gone.page.keyboard.press('Escape');
    await gone.page.getByRole('tab', { name: 'Event Info' }).click();
  });

  await test.step('who has played Bob’s number of free events is asked for Pro', async () => {
    await bob.page.goto(`/app/events/view/${encore}`);
    await bob.page.getByRole('button', { name: 'Join Tournament' }).click();
    const dialog = bob.page.getByRole('dialog', { name: "You've hit the free plan limit!" });
    // Where nothing can be bought, nothing links to a purchase.
    await expect(dialog.getByText('the operator of this server can give it to you')).toBeVisible();
    await expect(dialog.getByRole('link', { name: 'Upgrade to Pro' })).toHaveCount(0);
    await attachScreenshot(info, bob, 'free plan');
    await dialog.getByRole('button', { name: 'Close' }).last().click();
  });

  await test.step('with Pro one joins as many as one likes', async () => {
    await ada.page.goto(`/app/events/view/${encore}`);
    await ada.page.getByRole('button', { name: 'Join Tournament' }).click();
    await expect(ada.page.getByRole('button', { name: 'Find Match' })).toBeVisible();
    await ada.page.goto(`/app/events/view/${encore}`);
  });

  await test.step('the admin ends it, and everybody sees the winners', async () => {
    await admin.page.getByRole('button', { name: 'End Event', exact: true }).click();
    await admin.page
      .getByRole('dialog', { name: 'End Event' })
      .getByRole('button', { name: 'End Event', exact: true })
      .click();
    const id = new URL(admin.page.url()).pathname.split('/').at(-1) ?? '';
    await Promise.all(
      players.map(async (player) => {
        const { page } = player;
        // Players who are still in the room are redirected.
        if (!page.url().includes('/app/game/event/')) await page.goto(`/app/events/view/${id}`);
        await expect(page).toHaveURL(new RegExp(`/app/events/view/${id}$`), { timeout: 20_000 });
        const list = page.getByRole('region', { name: 'Winners' }).getByRole('listitem');
        await expect(list.first()).toContainText(`${champion.name}Level 3, 2 wins`);
        await expect(list).toHaveCount(3);
        await player.sees(
          player === champion ? 'You won!' : player === gone ? 'This event has ended' : 'You are among the winners!',
        );
        await attachScreenshot(info, player, 'winners');
      }),
    );
  });

  for (const { name, errors } of [admin, ...players]) {
    // This test provokes a refused join and a lost connection.
    const unasked = errors.filter((text) => !/402 \(|net::ERR_INTERNET_DISCONNECTED/.test(text));
    expect(unasked, `errors in the browser of ${name}`).toEqual([]);
  }
});
