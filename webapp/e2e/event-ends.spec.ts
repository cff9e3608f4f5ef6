import type { Page } from '@playwright/test';
import { Appliance } from './appliance';
import {
  DRAW_MOVES,
  GAME_URL,
  createLiveEvent,
  type Pair,
  waitForPairs,
  attachScreenshot,
  findMatches,
} from './eventPlay';
import { expect, newPerson, type Person, test as base } from './fixtures';
import { PHONE } from './pageChecks';
import { Network } from './network';
import { type ForbiddenText, PageMonitor } from './pageMonitor';

/** A separate server, where no other test looks for opponents. */
const test = base.extend<object, { appliance: Appliance }>({
  appliance: [
    // eslint-disable-next-line no-empty-pattern -- playwright wants the pattern
    async ({}, use) => {
      const appliance = await Appliance.start({ MORPION_PLANS__FREE_EVENTS_PER_MONTH: '20' });
      await use(appliance);
      await appliance.remove();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
});

test.use({ actionTimeout: 40_000, contextOptions: { reducedMotion: 'reduce' } });
// Most of their time is waiting for the clock.
test.describe.configure({ mode: 'parallel' });

/** No page may show an error or a result that is not known yet. */
const FORBIDDEN_TEXTS: readonly ForbiddenText[] = [
  ['Try again', 0],
  ['Nobody won it\\.', 0],
  ['Application Error', 0],
];

/** Watches all tabs of these people for such texts and for reloads. */
function monitorPages(people: Person[]): Promise<PageMonitor[]> {
  return Promise.all(people.map((person) => PageMonitor.of(person, FORBIDDEN_TEXTS, { mayReload: false })));
}

/** Makes a page believe that its tab is in the background. */
async function hide(page: Page): Promise<void> {
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
    Object.defineProperty(document, 'hidden', { value: true, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  });
}

async function people(browser: Parameters<typeof newPerson>[0], appliance: Appliance, count: number) {
  const options = { baseURL: appliance.url };
  const all = await Promise.all(Array.from({ length: count + 1 }, () => newPerson(browser, options)));
  const [admin, ...players] = all as [Person, ...Person[]];
  await admin.promote(appliance);
  return { admin, players };
}

async function enter({ page }: Person, eventId: string): Promise<void> {
  await page.goto(`/app/events/view/${eventId}`);
  await page.getByRole('button', { name: 'Join Tournament' }).click();
  await page.getByRole('button', { name: 'Find Match' }).waitFor();
}

/** Plays drawn rounds slowly, without exceeding the time; one of the two thinks longer. */
async function dawdle(two: Pair, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    for (const player of two) {
      // The title tells whose turn it is, even while a new round is announced.
      if (!(await player.page.title()).startsWith('Your turn')) continue;
      await player.page.waitForTimeout(player === two[0] ? 4_000 : 8_000);
      const played = await player.page.getByRole('gridcell', { name: /, [XO]$/ }).count();
      const [row, col] = DRAW_MOVES[played] ?? [1, 1];
      // The game may end first.
      await player
        .cell(row, col)
        .click({ timeout: 2_000 })
        .catch(() => undefined);
    }
    await two[0].page.waitForTimeout(300);
  }
}

/** How long games may go on after the event has ended, in milliseconds. */
const DECISION_MS = 60_000;

const eventPage = (eventId: string) => new RegExp(`/app/events/view/${eventId}$`);
const winnersOn = (page: Page) => page.getByRole('region', { name: 'Winners' }).getByRole('listitem');
const quiet = ({ name, errors }: Person) =>
  // A lost connection and a closed room are logged in the console.
  expect(
    errors.filter((text) => !/40[0-9] \(|net::ERR_/.test(text)),
    `errors in the browser of ${name}`,
  ).toEqual([]);

test(
  'an event that ends with games under way leads everybody to its page and its winners',
  { tag: '@crowd' },
  async ({ browser, appliance }, info) => {
    test.setTimeout(360_000);
    const { admin, players } = await people(browser, appliance, 5);
    const [away, ...rest] = players;
    if (away === undefined) throw new Error('five players');
    const eventId = await createLiveEvent(admin, 'Last Minute Cup');
    const networks = new Map<Person, Network>();
    for (const player of players) networks.set(player, await Network.of(player.page));
    await away.page.setViewportSize(PHONE);
    await admin.page.goto(`/app/admin/events/${eventId}`);
    for (const player of players) await enter(player, eventId);
    const games = await findMatches(rest);
    expect(games).toHaveLength(2);
    const [quick, slow] = games as [Pair, Pair];
    // Neither game exceeds a turn's 15 s, and neither ends early.
    let isEnded = false;
    let isOver = false;
    const dawdling = [dawdle(quick, () => isEnded), dawdle(slow, () => isOver)];

    // A second tab of a player stays in the background.
    const behind = await quick[0].page.context().newPage();
    await behind.goto(`/app/events/view/${eventId}`);
    await expect(behind.getByRole('link', { name: 'Return to your game' }).first()).toBeVisible();
    await hide(behind);
    const pages = [...players.map(({ page }) => page), behind];
    const monitors = await monitorPages(players);
    await networks.get(away)?.disconnect();

    let endedAt = 0;
    await test.step('the admin is told of the games before the end', async () => {
      const { page } = admin;
      await page.getByRole('button', { name: 'End Event', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'End Event' });
      await expect(dialog.getByText('2 games are under way.')).toBeVisible();
      await dialog.getByRole('button', { name: 'End Event', exact: true }).click();
      endedAt = Date.now();
      await expect(
        page.getByText(
          /^The last games are being decided\. 2 games are still being played, winners in at most \d+ s\.$/,
        ),
      ).toBeVisible();
      await attachScreenshot(info, admin, 'pending end');
    });

    await test.step('one game is finished in the last minute, and its players wait for the others', async () => {
      isEnded = true;
      const [winner, loser] = quick;
      await loser.page.getByRole('button', { name: 'Forfeit and close' }).click();
      await loser.page.getByRole('dialog').getByRole('button', { name: 'Forfeit' }).click();
      await winner.sees('You Won!');
      for (const player of quick) {
        await expect(player.page).toHaveURL(eventPage(eventId));
        await expect(player.page.getByText('The last games are being decided.')).toBeVisible();
        await expect(player.page.getByText(/^1 game is still being played, winners in at most \d+ s\.$/)).toBeVisible();
      }
      await attachScreenshot(info, quick[0], 'being decided');
    });

    await test.step('the other is decided by time, and everybody sees the same winners', async () => {
      const [stays, misses] = slow;
      // One of its players is offline when the game is decided, but not for so long that it costs them the game.
      await misses.page.waitForTimeout(Math.max(0, endedAt + DECISION_MS - 6_000 - Date.now()));
      await networks.get(misses)?.disconnect();
      await expect(stays.page).toHaveURL(eventPage(eventId), { timeout: 90_000 });
      isOver = true;
      await Promise.all(dawdling);
      for (const player of [misses, away]) await networks.get(player)?.reconnect();
      const winners: string[][] = [];
      for (const page of pages) {
        await expect(page).toHaveURL(eventPage(eventId), { timeout: 30_000 });
        await expect(winnersOn(page)).toHaveCount(2, { timeout: 30_000 });
        winners.push(await winnersOn(page).allInnerTexts());
      }
      expect(new Set(winners.map((each) => each.join('\n'))).size, winners.join(' / ')).toBe(1);
      await expect(admin.page.getByText(/^Winners:/)).toBeVisible();
      await attachScreenshot(info, away, 'winners after all');
    });

    expect(monitors.flatMap(({ seen }) => seen)).toEqual([]);
    for (const person of [admin, ...players]) quiet(person);
  },
);

test('an event that is cancelled leads everybody to its page', { tag: '@crowd' }, async ({ browser, appliance }) => {
  test.setTimeout(180_000);
  const { admin, players } = await people(browser, appliance, 3);
  const [waiting, ...two] = players;
  if (waiting === undefined) throw new Error('three players');
  const eventId = await createLiveEvent(admin, 'Rained Off');
  const [missing] = two;
  if (missing === undefined) throw new Error('a player of the game');
  const network = await Network.of(missing.page);
  for (const player of players) await enter(player, eventId);
  await findMatches(two);
  const monitors = await monitorPages(players);
  await hide(waiting.page);
  await network.disconnect();

  const { page } = admin;
  await page.goto(`/app/admin/events/${eventId}`);
  await page.getByRole('button', { name: 'Cancel Event' }).click();
  const dialog = page.getByRole('dialog', { name: 'Cancel Event' });
  await expect(dialog.getByText('1 game is under way.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel Event' }).click();
  // First those who were online, one of them in a background tab; then the one who was offline.
  for (const player of players.toSorted((a, b) => Number(a === missing) - Number(b === missing))) {
    if (player === missing) await network.reconnect();
    await expect(player.page).toHaveURL(eventPage(eventId), { timeout: 30_000 });
    await player.sees('Event Cancelled');
    await expect(winnersOn(player.page)).toHaveCount(0);
  }
  expect(monitors.flatMap(({ seen }) => seen)).toEqual([]);
  // It is archived, and the filter finds it.
  await expect(page).toHaveURL(/\/app\/admin\/events$/);
  await page.getByText('Cancelled', { exact: true }).click();
  await expect(page.getByRole('link', { name: 'Rained Off' })).toBeVisible();
});

test(
  'who comes back to their own game plays it, however they come',
  { tag: '@crowd' },
  async ({ browser, appliance }) => {
    test.setTimeout(180_000);
    const { admin, players } = await people(browser, appliance, 2);
    const eventId = await createLiveEvent(admin, 'Two Doors');
    for (const player of players) await enter(player, eventId);
    const [[first, second] = []] = await findMatches(players);
    if (first === undefined || second === undefined) throw new Error('a game');
    const url = first.page.url();

    await first.plays(1, 1);
    // From the event's page and from Home, which never offer to watch it.
    await first.page.goto(`/app/events/view/${eventId}`);
    await expect(first.page.getByRole('link', { name: 'Return to your game' })).toHaveCount(2);
    await expect(first.page.getByRole('main').getByRole('link', { name: /^Watch/ })).toHaveCount(0);
    await first.page.getByRole('link', { name: 'Return to your game' }).first().click();
    await second.plays(1, 2);
    await first.page.goto('/app/home');
    await first.page.getByRole('link', { name: `Return to your game with ${second.name}` }).click();
    await first.plays(1, 3);
    // By a link to watch it: half a minute later the game still goes on.
    await first.page.goto(`${url}?watch=true`);
    const turns = [
      [second, 2, 2],
      [first, 2, 1],
      [second, 2, 3],
      [first, 3, 2],
      [second, 3, 1],
    ] as const;
    for (const [player, row, col] of turns) {
      // Half of a turn's time; the other half is a margin for a busy machine.
      await player.page.waitForTimeout(7_500);
      await player.plays(row, col);
    }
    await first.sees('Your turn');
  },
);

test(
  'who is away is asked, and taken out after two games; who missed the end goes on',
  { tag: '@crowd' },
  async ({ browser, appliance }, info) => {
    test.setTimeout(240_000);
    const { admin, players } = await people(browser, appliance, 2);
    const [absent, present] = players;
    if (absent === undefined || present === undefined) throw new Error('two players');
    const eventId = await createLiveEvent(admin, 'Sleepy Cup');
    const networks = { absent: await Network.of(absent.page), present: await Network.of(present.page) };
    for (const player of players) await enter(player, eventId);
    const stillThere = absent.page.getByRole('heading', { name: 'Still there?' });

    await test.step('the first time they miss their turn and the end', async () => {
      const [[first] = []] = await findMatches(players);
      if (first === present) await present.plays(1, 1);
      await networks.absent.disconnect();
      await expect(present.page.getByRole('heading', { name: 'You Won!' })).toBeVisible({ timeout: 30_000 });
      await networks.absent.reconnect();
      await expect(stillThere).toBeVisible({ timeout: 30_000 });
      await attachScreenshot(info, absent, 'still there');
      // The winner is on the way to the next match.
      await expect(present.page).toHaveURL(/\/app\/game\/event\/.*fromGame=true$/);
      await expect(present.page.getByRole('heading', { name: 'Looking for an opponent…' })).toBeVisible();
      await expect(absent.page.getByRole('button', { name: 'Find Match' })).toBeVisible();
    });

    await test.step('one press searches, and the winner misses the end of the second', async () => {
      await absent.page.getByRole('button', { name: 'Find Match' }).click();
      const [[first] = []] = await waitForPairs(players);
      if (first === present) await present.plays(1, 1);
      await networks.present.disconnect();
      await expect(absent.page).toHaveURL(eventPage(eventId), { timeout: 40_000 });
      await networks.present.reconnect();
      await expect(present.page).toHaveURL(/\/app\/game\/event\/.*fromGame=true$/, { timeout: 30_000 });
    });

    await test.step('the event’s page says why, and lets them come back', async () => {
      await expect(
        absent.page.getByRole('region', { name: 'Taking part' }).getByRole('status').first(),
      ).not.toBeEmpty();
      await attachScreenshot(info, absent, 'taken out');
      await absent.page.getByRole('button', { name: 'Join Tournament' }).click();
      await absent.page.getByRole('button', { name: 'Find Match' }).click();
      await Promise.all(players.map(({ page }) => expect(page).toHaveURL(GAME_URL, { timeout: 40_000 })));
    });
    for (const person of players) quiet(person);
  },
);
