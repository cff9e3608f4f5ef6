import type { Locator, Page, TestInfo } from '@playwright/test';
import { Appliance } from './appliance';
import { call, read } from './calls';
import { expect, newPerson, type Person, test as base } from './fixtures';
import { FORBIDDEN_TEXTS } from './forbiddenTexts';
import { takeMoment } from './moments';
import { Network, saysSending } from './network';
import { PageMonitor } from './pageMonitor';

/**
 * A tournament evening: eight players, half of them on phones, who reload, lose the network, close the tab and open
 * others; two of the phones on a bad network, that holds packets, gives them another address or sleeps, always in their own
 * turn; an admin who corrects, ends, reopens and concludes; and a server that is killed in the middle. No page may
 * show an error, a button without effect or a wrong text at any time, and in the end all show the same winners.
 *
 * `MORPION_EVENING_MINUTES` is the length of the event. Without it the test is skipped (`make evening` sets it), since
 * eight browsers leave no resources for other tests.
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

test.use({ actionTimeout: 30_000 });

/** The players make the same choices for the same seed (mulberry32). */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A click has a visible effect within this time. */
const REACTION_MS = 10_000;

/** What a bad network does in one's own turn: packets are held for so many seconds, or what is named. */
type Trouble = 5 | 12 | 30 | 'another address' | 'asleep';
const TROUBLES: readonly (readonly Trouble[])[] = [
  [5, 'asleep', 12, 'another address', 30],
  [12, 30, 'another address', 5, 'asleep'],
];
const SLEEP_MS = 60_000;
/** A turn with less than this left is played without trouble. */
const ENOUGH_MS = 6_000;
/** A connection that comes back so long before the end of the clock is back in time. */
const IN_TIME_MS = 2_000;
/** A move counts within this time from then on. */
const COUNTS_MS = 10_000;

interface GameNow {
  version: number;
  status: string;
  reason?: string;
  forfeiter?: string;
  currentTurn?: string;
  /** Unix milliseconds by the server's clock. */
  serverTime: number;
  turnDeadline?: number;
}

const succeeds = (act: Promise<unknown>): Promise<boolean> =>
  act.then(
    () => true,
    () => false,
  );

/** How often the server was killed or started, so odd while it is away: what was under way meanwhile says nothing of networks. */
let outages = 0;

/** A player of the event who reloads, loses the network, closes the tab and opens others. */
class SimulatedPlayer {
  readonly monitor: PageMonitor;
  readonly name: string;
  #page: Page;
  #network: Network;
  readonly #random: () => number;
  readonly #eventPath: string;
  /** Moves made and games seen: an evening without any fails the test. */
  moves = 0;
  games = new Set<string>();
  /** What the network still does, in this order, and what was lost by it although it should not have been. */
  #troubles: Trouble[] = [];
  suffered = new Set<Trouble>();
  lost: string[] = [];
  /** Takes pictures of a moment of this player. */
  #picture: (what: string) => Promise<void> = async () => undefined;

  private constructor(name: string, page: Page, network: Network, monitor: PageMonitor, eventId: string, seed: number) {
    this.name = name;
    this.#page = page;
    this.#network = network;
    this.monitor = monitor;
    this.#eventPath = `/app/events/view/${eventId}`;
    this.#random = seededRandom(seed);
  }

  static async of(person: Person, eventId: string, seed: number): Promise<SimulatedPlayer> {
    const [monitor, network] = [await PageMonitor.of(person, FORBIDDEN_TEXTS), await Network.of(person.page)];
    await person.page.goto(`/app/events/view/${eventId}`);
    return new SimulatedPlayer(person.name, person.page, network, monitor, eventId, seed);
  }

  /** From now on this phone has a bad network, and no other mishaps. */
  setTroubles(troubles: readonly Trouble[], info: TestInfo): void {
    this.#troubles = [...troubles];
    this.#isOnBadNetwork = true;
    this.#picture = (what) => takeMoment(info, this.page, what).catch(() => undefined);
  }

  #isOnBadNetwork = false;

  /** Another one after the tab was closed. */
  get page(): Page {
    return this.#page;
  }

  /** Looks at the page and takes one action. */
  async step(): Promise<void> {
    if (!this.#isOnBadNetwork && this.#random() < 0.04) return this.#disrupt();
    const path = new URL(this.page.url()).pathname;
    if (await this.#press(/^Try again$/)) return;
    if (path.startsWith('/app/game/event/')) return void (await this.#press(/^(Find Match|Continue)$/));
    if (path.startsWith('/app/game/')) return this.#inGame(path);
    if (path === this.#eventPath) return void (await this.#press(/^(Join Tournament|Return to your game)$/));
    await this.page.goto(this.#eventPath).catch(() => undefined);
  }

  async #inGame(path: string): Promise<void> {
    const { page } = this;
    const turn = page.getByRole('heading', { name: 'Your turn' });
    if (!(await turn.isVisible().catch(() => false))) return;
    this.games.add(path);
    const free = page.getByRole('gridcell', { name: /, empty$/ });
    const count = await free.count().catch(() => 0);
    if (count === 0) return;
    const cell = free.nth(Math.floor(this.#random() * count));
    if (this.#troubles.length > 0 && (await this.#suffers(cell, path.split('/').at(-1) ?? ''))) return;
    await cell
      .click({ timeout: 2_000 })
      .then(() => (this.moves += 1))
      .catch(() => undefined);
  }

  async #now(gameId: string): Promise<GameNow | null> {
    return read<{ game: GameNow }>(this.page, 'game', 'get_game', { gameId }).then(
      ({ game }) => game,
      () => null,
    );
  }

  /** The next trouble, with a move in it, if the turn has enough time for it; false if nothing was done. */
  async #suffers(cell: Locator, gameId: string): Promise<boolean> {
    const [trouble] = this.#troubles;
    const before = await this.#now(gameId);
    if (trouble === undefined || before?.status !== 'active' || before.turnDeadline === undefined) return false;
    const leftMs = before.turnDeadline - before.serverTime;
    if (leftMs < ENOUGH_MS) return false;
    const [endsAt, known] = [Date.now() + leftMs, outages];
    this.#troubles.shift();
    this.monitor.outageStarted();
    if (trouble === 'asleep') await this.#sleeps();
    else {
      const isPlayed = await this.#playsDuring(trouble, cell);
      if (isPlayed === 'in silence') this.#note(known, `a move was not said to be on its way (${trouble})`);
      const isBackInTime = Date.now() < endsAt - IN_TIME_MS;
      if (isPlayed && isBackInTime) {
        if (await this.#counts(gameId, before.version)) this.moves += 1;
        else this.#note(known, `a move was lost although the connection came back in time (${trouble})`);
      }
    }
    this.monitor.outageEnded();
    this.suffered.add(trouble);
    return true;
  }

  /** Says nothing of networks if the server was away since `known`. */
  #note(known: number, what: string): void {
    if (outages === known && known % 2 === 0) this.lost.push(`${this.name}: ${what}`);
  }

  /** The phone sleeps, and has another address afterwards. */
  async #sleeps(): Promise<void> {
    const screen = await this.page.context().newCDPSession(this.page);
    this.#network.changeAddress();
    await screen.send('Page.setWebLifecycleState', { state: 'frozen' });
    await this.page.waitForTimeout(SLEEP_MS);
    await screen.send('Page.setWebLifecycleState', { state: 'active' });
    await screen.detach();
  }

  /** A move while the network is bad, until it is good again. Returns whether it was made, and whether the page said so. */
  async #playsDuring(trouble: Exclude<Trouble, 'asleep'>, cell: Locator): Promise<boolean | 'in silence'> {
    const { page } = this;
    const heldAt = Date.now();
    if (trouble === 'another address') this.#network.changeAddress();
    else this.#network.hold();
    const isPlayed = await succeeds(cell.click({ timeout: 2_000 }));
    const isSaid = isPlayed && (await saysSending(page));
    await this.#picture(`evening, ${trouble === 'another address' ? trouble : `held for ${trouble} s`}`);
    if (trouble !== 'another address') {
      await page.waitForTimeout(Math.max(0, heldAt + trouble * 1_000 - Date.now()));
      this.#network.release();
    }
    return isPlayed && !isSaid ? 'in silence' : isPlayed;
  }

  /** Whether the move that was made on this version of the game counts. */
  async #counts(gameId: string, version: number): Promise<boolean> {
    const until = Date.now() + COUNTS_MS;
    let now = await this.#now(gameId);
    while (now?.version === version && Date.now() < until) {
      await this.page.waitForTimeout(250);
      now = await this.#now(gameId);
    }
    // Without an answer nobody knows; the next change after the move may have been its time.
    return now === null || (now.version !== version && !(now.reason === 'timeout' && now.version === version + 1));
  }

  /** Presses the button or link of that name and expects the page to change; false if there is none. */
  async #press(name: RegExp): Promise<boolean> {
    const { page } = this;
    const either = page.getByRole('button', { name }).or(page.getByRole('link', { name })).first();
    if (!(await either.isVisible().catch(() => false)) || !(await either.isEnabled().catch(() => false))) return false;
    const before = await this.#snapshot();
    const pressed = await either.click({ timeout: 3_000 }).then(
      () => true,
      () => false,
    );
    if (!pressed) return false;
    const until = Date.now() + REACTION_MS;
    while ((await this.#snapshot()) === before) {
      if (Date.now() > until) {
        this.monitor.note(`pressing had no effect: ${name.source}`, page.url());
        break;
      }
      await page.waitForTimeout(200).catch(() => undefined);
    }
    return true;
  }

  async #snapshot(): Promise<string> {
    const text = await this.page.evaluate(() => document.body.innerText).catch(() => '');
    return `${this.page.url()} ${text}`;
  }

  async #disrupt(): Promise<void> {
    const { page } = this;
    const context = page.context();
    const pick = this.#random();
    if (pick < 0.35) {
      await page.reload({ waitUntil: 'commit' }).catch(() => undefined);
    } else if (pick < 0.6) {
      this.monitor.outageStarted();
      await this.#network.disconnect();
      await page.waitForTimeout(2_000 + this.#random() * 6_000);
      await this.#network.reconnect();
      this.monitor.outageEnded();
    } else if (pick < 0.8) {
      const other = await context.newPage();
      await other.goto('about:blank');
      await other.waitForTimeout(3_000);
      await other.close();
    } else {
      await page.close();
      this.#page = await context.newPage();
      this.#network = await Network.of(this.#page);
      await this.#page.waitForTimeout(1_000 + this.#random() * 8_000);
      await this.#page.goto(this.#eventPath).catch(() => undefined);
    }
  }
}

/** The admin's actions on the event's page. */
class EventAdmin {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  async corrects(name: string, standing: Partial<Record<'Level' | 'Wins', number>>): Promise<void> {
    await this.#page.getByRole('tab', { name: /^Participants/ }).click();
    await this.#page.getByRole('button', { name: `Manage ${name}` }).click();
    const dialog = this.#page.getByRole('dialog', { name });
    for (const [field, value] of Object.entries(standing)) await dialog.getByLabel(field).fill(String(value));
    await dialog.getByRole('form', { name: 'Correct the standing' }).getByLabel('Reason').fill('Entered wrongly.');
    await dialog.getByRole('button', { name: 'Save Correction' }).click();
    await expect(dialog).toBeHidden();
    await this.#page.getByRole('tab', { name: 'Event Details' }).click();
  }

  async ends(): Promise<void> {
    await this.#confirms('End Event');
  }

  async reopens(): Promise<void> {
    await this.#page.getByRole('button', { name: 'Reopen for Corrections' }).click();
    const dialog = this.#page.getByRole('dialog', { name: 'Reopen for Corrections' });
    await dialog.getByLabel('Reason').fill('A result was entered wrongly.');
    await dialog.getByRole('button', { name: 'Reopen Event' }).click();
    await expect(dialog).toBeHidden();
  }

  async concludes(): Promise<void> {
    await this.#confirms('Conclude Event');
  }

  async #confirms(action: string): Promise<void> {
    await this.#page.getByRole('button', { name: action, exact: true }).click();
    const dialog = this.#page.getByRole('dialog', { name: action });
    await dialog.getByRole('button', { name: action, exact: true }).click();
    await expect(dialog).toBeHidden();
  }
}

/** The winners that a page shows; null while it shows none. */
async function winnersOn(page: Page): Promise<string[] | null> {
  const list = page.getByRole('region', { name: 'Winners' }).getByRole('listitem');
  const count = await list.count();
  if (count === 0) return null;
  return list.allInnerTexts();
}

test('a tournament evening', { tag: '@crowd' }, async ({ browser, appliance }, info) => {
  test.skip(MINUTES === 0, 'make evening');
  test.setTimeout((MINUTES + 8) * 60_000);
  const desk = { baseURL: appliance.url };
  const phone = { ...desk, viewport: { width: 390, height: 844 }, hasTouch: true };
  const admin = await newPerson(browser, desk);
  await admin.promote(appliance);
  const people: Person[] = [];
  while (people.length < PLAYERS) {
    people.push(...(await Promise.all([newPerson(browser, desk), newPerson(browser, phone)])));
  }

  const { event } = await call<{ event: { eventId: string } }>(admin.page, 'event', 'create_event', {
    title: 'Evening Cup',
    startTime: new Date(Date.now() + 3_600_000).toISOString(),
    endTime: new Date(Date.now() + 7_200_000).toISOString(),
    maxLosses: 0,
  });
  const { eventId } = event;
  await call(admin.page, 'event', 'update_event', { eventId, eventState: 'published' });
  const players: SimulatedPlayer[] = [];
  for (const [at, person] of people.entries()) players.push(await SimulatedPlayer.of(person, eventId, SEED * 100 + at));
  await Promise.all(players.map(({ page }) => page.getByRole('button', { name: 'Register Now' }).click()));
  const monitors = [await PageMonitor.of(admin, FORBIDDEN_TEXTS), ...players.map(({ monitor }) => monitor)];
  for (const [at, troubles] of TROUBLES.entries()) players[2 * at + 1]?.setTroubles(troubles, info);
  /** Pictures of what a desktop, a phone and the admin see. A tab that was closed just now has none. */
  const moment = async (what: string) => {
    const pages = { desktop: players[0]!.page, phone: players[5]!.page, admin: admin.page };
    const taken = Object.entries(pages).map(([who, page]) => takeMoment(info, page, `evening, ${what}, ${who}`));
    await Promise.allSettled(taken);
  };
  await call(admin.page, 'event', 'start_event', { eventId });
  await admin.page.goto(`/app/admin/events/${eventId}`);
  const eventAdmin = new EventAdmin(admin.page);

  let isOver = false;
  const evenings = players.map(async (player) => {
    while (!isOver) {
      await player.step();
      await player.page.waitForTimeout(200).catch(() => undefined);
    }
  });

  const half = (MINUTES * 60_000) / 2;
  await admin.page.waitForTimeout(half / 2);
  await moment('under way');
  await admin.page.waitForTimeout(half / 2);
  await test.step('the server is killed and started again', async () => {
    for (const monitor of monitors) monitor.outageStarted();
    outages += 1;
    await appliance.kill();
    await moment('the server is away');
    await appliance.run();
    outages += 1;
    for (const monitor of monitors) monitor.outageEnded();
  });
  await admin.page.waitForTimeout(half / 2);
  await test.step('an admin corrects a standing', () => eventAdmin.corrects(players[0]!.name, { Level: 2, Wins: 1 }));
  await admin.page.waitForTimeout(half / 2);
  await test.step('the admin ends it while games are played', () => eventAdmin.ends());
  await moment('ended, the last games are played');

  // The players continue as before: the last games are decided, and every page ends up showing the winners.
  await expect(async () => {
    for (const { page } of players) expect(await winnersOn(page), page.url()).not.toBeNull();
  }).toPass({ timeout: 120_000, intervals: [2_000] });
  isOver = true;
  await Promise.all(evenings);
  await moment('the winners');

  await test.step('all see the same winners', () => sameWinners(players, admin.page));
  await test.step('reopened, corrected and concluded, all see the new winners without a reload', async () => {
    await eventAdmin.reopens();
    await eventAdmin.corrects(players.at(-1)!.name, { Level: 99, Wins: 98 });
    await eventAdmin.concludes();
    await expect(async () => {
      for (const { page } of players) expect((await winnersOn(page))?.[0]).toContain('Level 99, 98 wins');
    }).toPass({ timeout: 30_000, intervals: [1_000] });
    await sameWinners(players, admin.page);
    const { differences } = await verified(admin.page, eventId);
    expect(differences).toEqual([]);
  });
  await moment('corrected, the new winners');
  await test.step('and so does the list of past events', async () => {
    for (const { page } of players) {
      await page.goto('/app/events?when=past');
      const card = page.getByRole('article').or(page.getByRole('listitem')).filter({ hasText: 'Evening Cup' }).first();
      await expect(card).toContainText(players.at(-1)!.name);
    }
  });

  expect(monitors.flatMap(({ seen }) => seen)).toEqual([]);
  expect(players.flatMap(({ lost }) => lost)).toEqual([]);
  const suffered = new Set(players.flatMap((player) => [...player.suffered]));
  expect([...suffered].sort(), 'what the bad networks did').toEqual([...new Set(TROUBLES.flat())].sort());
  expect(players.reduce((sum, { moves }) => sum + moves, 0)).toBeGreaterThan(PLAYERS * 3);
  expect(new Set(players.flatMap(({ games }) => [...games])).size).toBeGreaterThan(PLAYERS / 2);
  for (const { page } of [admin, ...players]) await page.context().close();
});

/** Every player's page shows the same winners with the same figures, and the admin's page the same names. */
async function sameWinners(players: readonly SimulatedPlayer[], adminPage: Page): Promise<void> {
  const [first, ...others] = await Promise.all(players.map(({ page }) => winnersOn(page)));
  expect(first?.length).toBeGreaterThan(0);
  for (const winners of others) expect(winners).toEqual(first);
  const names = players.map(({ name }) => name);
  const winners = (first ?? []).map((line) => names.find((name) => line.includes(name)));
  const onAdmins = await adminPage
    .getByText(/^Winners?:/)
    .locator('..')
    .innerText();
  expect(names.filter((name) => onAdmins.includes(name)).sort()).toEqual([...winners].sort());
}

async function verified(page: Page, eventId: string): Promise<{ agrees: boolean; differences: unknown[] }> {
  return read(page, 'event', 'verify_event', { eventId });
}
