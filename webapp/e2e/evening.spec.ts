import type { Page } from '@playwright/test';
import { Appliance } from './appliance';
import { call } from './calls';
import { expect, newPerson, type Person, test as base } from './fixtures';

/**
 * A tournament evening: eight people who do what people do (reload, lose the network, close the tab, look elsewhere), an
 * admin who corrects, ends, reopens and concludes, and a server that is killed in the middle. At no moment may a page
 * show an error picture, a button that leads nowhere or a text that is untrue, and in the end all show the same winners.
 *
 * The half hour is compressed: `MORPION_EVENING_MINUTES` says how long the event is played; without it there is no
 * evening (`make evening`), since eight browsers leave no room for other tests.
 */
const MINUTES = Number(process.env.MORPION_EVENING_MINUTES ?? '0');
const PLAYERS = 8;
const SEED = Number(process.env.MORPION_EVENING_SEED ?? '1');

const test = base.extend<object, { appliance: Appliance }>({
  appliance: [
    // eslint-disable-next-line no-empty-pattern -- playwright wants the pattern
    async ({}, use) => {
      const appliance = await Appliance.start();
      await use(appliance);
      await appliance.remove();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
});

/** The same evening for the same seed, as far as people's choices go (mulberry32). */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** What no page may say at any moment of the evening. */
const NEVER = [
  'Unexpected Application Error!',
  'Failed to join event room',
  'Failed to initialize game room',
  'Failed to join game room',
  'Failed to load event',
  'Event not found.',
  'User not authenticated or event ID missing',
];

interface Sighting {
  text: string;
  url: string;
}

/** Looks at a page as a person would: everything that is written there, and the buttons that do nothing. */
async function look(page: Page): Promise<{ text: string; canRetry: boolean }> {
  return page.evaluate(() => ({
    text: document.body.innerText,
    canRetry: [...document.querySelectorAll('button')].some((button) => button.innerText.trim() === 'Try again'),
  }));
}

class Guest {
  readonly person: Person;
  readonly seen: Sighting[] = [];
  readonly #random: () => number;
  readonly #eventId: string;
  /** Moves made and games seen to their end, so that an evening of nothing does not pass. */
  moves = 0;
  games = new Set<string>();
  isOffline = false;

  constructor(person: Person, eventId: string, seed: number) {
    this.person = person;
    this.#eventId = eventId;
    this.#random = chance(seed);
  }

  get page(): Page {
    return this.person.page;
  }

  /** One glance and one deed; what may not be seen is noted with the address where it was. */
  async step(): Promise<void> {
    await this.check();
    if (this.#random() < 0.04) return this.#mischief();
    const { page } = this;
    const path = new URL(page.url()).pathname;
    if (path.startsWith('/app/game/event/')) return this.#inRoom();
    if (path.startsWith('/app/game/')) return this.#inGame(path);
    if (path !== this.#eventPath) return void (await page.goto(this.#eventPath));
    await this.#press(/^(Join Tournament|Return to your game)$/);
  }

  get #eventPath(): string {
    return `/app/events/view/${this.#eventId}`;
  }

  async check(): Promise<void> {
    if (this.isOffline) return;
    const { page } = this;
    const { text, canRetry } = await look(page).catch(() => ({ text: '', canRetry: false }));
    const url = page.url();
    for (const never of NEVER) if (text.includes(never)) this.seen.push({ text: never, url });
    if (canRetry) this.seen.push({ text: 'Try again', url });
  }

  async #inRoom(): Promise<void> {
    await this.#press(/^(Find Match|Continue)$/);
  }

  async #inGame(path: string): Promise<void> {
    const { page } = this;
    const turn = page.getByRole('heading', { name: 'Your turn' });
    if (!(await turn.isVisible().catch(() => false))) return;
    this.games.add(path);
    const free = page.getByRole('gridcell', { name: /, empty$/ });
    const count = await free.count().catch(() => 0);
    if (count === 0) return;
    await free
      .nth(Math.floor(this.#random() * count))
      .click({ timeout: 2_000 })
      .then(() => (this.moves += 1))
      .catch(() => undefined);
  }

  async #press(name: RegExp): Promise<void> {
    const { page } = this;
    const either = page.getByRole('button', { name }).or(page.getByRole('link', { name })).first();
    if (await either.isVisible().catch(() => false)) await either.click({ timeout: 3_000 }).catch(() => undefined);
  }

  async #mischief(): Promise<void> {
    const { page } = this;
    const pick = this.#random();
    if (pick < 0.35) {
      await page.reload({ waitUntil: 'commit' }).catch(() => undefined);
    } else if (pick < 0.6) {
      const context = page.context();
      this.isOffline = true;
      await context.setOffline(true);
      await page.waitForTimeout(2_000 + this.#random() * 6_000);
      await context.setOffline(false);
      // The page comes back by itself; a person gives it a moment.
      await page.waitForTimeout(6_000);
      this.isOffline = false;
    } else if (pick < 0.8) {
      const other = await page.context().newPage();
      await other.goto('about:blank');
      await other.waitForTimeout(3_000);
      await other.close();
    } else {
      await page.goto('about:blank');
      await page.waitForTimeout(1_000 + this.#random() * 8_000);
      await page.goto(this.#eventPath).catch(() => undefined);
    }
  }
}

/** Who won, as a page shows it; null while it shows nothing of that kind. */
async function winnersOn(page: Page): Promise<string[] | null> {
  const list = page.getByRole('region', { name: 'Winners' }).getByRole('listitem');
  const count = await list.count();
  if (count === 0) return null;
  return list.allInnerTexts();
}

test('a tournament evening', { tag: '@crowd' }, async ({ browser, appliance }) => {
  test.skip(MINUTES === 0, 'make evening');
  test.setTimeout((MINUTES + 8) * 60_000);
  const options = { baseURL: appliance.url };
  const admin = await newPerson(browser, options);
  await appliance.command('admin', 'promote', admin.name);
  const people: Person[] = [];
  while (people.length < PLAYERS) {
    people.push(...(await Promise.all([newPerson(browser, options), newPerson(browser, options)])));
  }

  const { event } = await call<{ event: { eventId: string } }>(admin.page, 'event', 'create_event', {
    title: 'Evening Cup',
    startTime: new Date(Date.now() + 3_600_000).toISOString(),
    endTime: new Date(Date.now() + 7_200_000).toISOString(),
    maxLosses: 0,
  });
  const { eventId } = event;
  await call(admin.page, 'event', 'update_event', { eventId, eventState: 'published' });
  for (const { page } of people) await page.goto(`/app/events/view/${eventId}`);
  await Promise.all(people.map(({ page }) => page.getByRole('button', { name: 'Register Now' }).click()));
  await call(admin.page, 'event', 'start_event', { eventId });
  await admin.page.goto(`/app/admin/events/${eventId}`);

  const guests = people.map((person, at) => new Guest(person, eventId, SEED * 100 + at));
  let isOver = false;
  const evenings = guests.map(async (guest) => {
    while (!isOver) {
      await guest.step();
      await guest.page.waitForTimeout(200).catch(() => undefined);
    }
  });

  const half = (MINUTES * 60_000) / 2;
  await admin.page.waitForTimeout(half);
  await test.step('the server is killed and started again', async () => {
    await appliance.kill();
    await appliance.run();
  });
  await admin.page.waitForTimeout(half / 2);
  await test.step('an admin corrects a standing', async () => {
    const { userId } = await call<{ user: { userId: string } }>(
      people[0]!.page,
      'userprofile',
      'create_profile',
      {},
    ).then(({ user }) => user);
    await call(admin.page, 'player', 'update_player', { eventId, userId, updates: { level: 2, wins: 1 } });
  });
  await admin.page.waitForTimeout(half / 2);
  await test.step('the admin ends it while games are played', async () => {
    await call(admin.page, 'event', 'end_event', { eventId });
  });

  // Everybody goes on as before: the last games are decided, and the pages lead where the winners stand.
  const everyone = [admin, ...people];
  await expect(async () => {
    for (const { page } of people) expect(await winnersOn(page), page.url()).not.toBeNull();
  }).toPass({ timeout: 120_000, intervals: [2_000] });
  isOver = true;
  await Promise.all(evenings);

  await test.step('all see the same winners', async () => {
    const [first, ...others] = await Promise.all(people.map(({ page }) => winnersOn(page)));
    for (const winners of others) expect(winners).toEqual(first);
  });

  await test.step('reopened, corrected and concluded, all see the new winners without a reload', async () => {
    const last = people.at(-1)!;
    const { user } = await call<{ user: { userId: string } }>(last.page, 'userprofile', 'create_profile', {});
    await call(admin.page, 'event', 'reopen_event', { eventId, reason: 'A result was entered wrongly.' });
    await call(admin.page, 'player', 'update_player', {
      eventId,
      userId: user.userId,
      updates: { level: 99, wins: 98 },
    });
    await call(admin.page, 'event', 'conclude_event', { eventId });
    await expect(async () => {
      for (const { page } of people) expect((await winnersOn(page))?.[0]).toContain('Level 99, 98 wins');
    }).toPass({ timeout: 30_000, intervals: [1_000] });
    const { differences } = await verified(admin.page, eventId);
    expect(differences).toEqual([]);
  });

  expect(guests.flatMap(({ seen }) => seen)).toEqual([]);
  expect(guests.reduce((sum, { moves }) => sum + moves, 0)).toBeGreaterThan(PLAYERS * 3);
  expect(new Set(guests.flatMap(({ games }) => [...games])).size).toBeGreaterThan(PLAYERS / 2);
  for (const { page } of everyone) await page.context().close();
});

async function verified(page: Page, eventId: string): Promise<{ agrees: boolean; differences: unknown[] }> {
  const query = new URLSearchParams({ action: 'verify_event', payload: JSON.stringify({ eventId }) });
  const response = await page.request.get(`${new URL(page.url()).origin}/api/backend/event?${query.toString()}`);
  return (await response.json()) as { agrees: boolean; differences: unknown[] };
}
