import type { Locator, Page } from '@playwright/test';
import { Appliance } from './appliance';
import { call, read } from './calls';
import { expect, newPerson, type Person, test as base } from './fixtures';
import { FORBIDDEN_TEXTS } from './forbiddenTexts';
import { takeMoment } from './moments';
import { PageMonitor } from './pageMonitor';

/**
 * An evening of each format in stage rounds: eight players, half of them on phones, from the sign-up to the final table; a
 * director who corrects a result at the desk; and a visitor without an account, whose pages move without a reload.
 *
 * Skipped without `MORPION_EVENING_MINUTES` (`make evening`), as is the arena's evening. An event is as long as its games
 * take, at most three minutes.
 */
const IS_EVENING = Number(process.env.MORPION_EVENING_MINUTES ?? '0') > 0;
const PLAYERS = 8;
/** A round, with the absence of a minute in it, on a busy machine. */
const ROUND_MS = 120_000;
/** Between two looks at a player's page. */
const STEP_MS = 300;

const test = base.extend<object, { appliance: Appliance }>({
  appliance: [
    // eslint-disable-next-line no-empty-pattern -- playwright wants the pattern
    async ({}, use) => {
      const appliance = await Appliance.start({
        MORPION_EVENTS__ROUND_PAUSE: '6s',
        MORPION_LIMITS__REGISTRATIONS_PER_HOUR: '1000',
      });
      await use(appliance);
      await appliance.remove();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
});

test.skip(!IS_EVENING, 'make evening');

// Eleven pages that are recorded leave no time for the games.
test.use({ actionTimeout: 30_000, contextOptions: { reducedMotion: 'reduce' }, trace: 'off' });

interface Seat {
  userId: string;
  username: string;
}

interface Match {
  board: number;
  players: Seat[];
  bye: boolean;
  winnerUserId?: string;
  reason?: string;
}

interface Round {
  round: number;
  state: 'planned' | 'playing' | 'ended';
  pairings: Match[];
}

interface Place extends Seat {
  rank: number;
  points: number;
  withdrawn: boolean;
}

/** The top row wins; the other side takes cells that make no line, whoever begins. */
const WINNERS_CELLS = [
  [1, 1],
  [1, 2],
  [1, 3],
] as const;
const LOSERS_CELLS = [
  [2, 1],
  [3, 2],
  [2, 3],
] as const;

/** A player who comes to every game and plays it as planned: the one who signed up earlier wins. */
class Entrant {
  readonly person: Person;
  readonly monitor: PageMonitor;
  /** What the room said about the player's match, as often as somebody looked. */
  readonly told = new Set<string>();
  readonly #stronger: readonly string[];
  readonly #eventPath: string;
  readonly #isWinning = new Map<string, boolean>();

  private constructor(person: Person, monitor: PageMonitor, eventId: string, stronger: readonly string[]) {
    this.person = person;
    this.monitor = monitor;
    this.#eventPath = `/app/events/view/${eventId}`;
    this.#stronger = stronger;
  }

  /** On the page of the event, before the sign-up. `stronger` are the names of those who win against this one. */
  static async of(person: Person, eventId: string, stronger: readonly string[]): Promise<Entrant> {
    const entrant = new Entrant(person, await PageMonitor.of(person, FORBIDDEN_TEXTS), eventId, stronger);
    await person.page.goto(entrant.#eventPath);
    return entrant;
  }

  get name(): string {
    return this.person.name;
  }

  get page(): Page {
    return this.person.page;
  }

  /** Looks at the page and does what it asks for. */
  async step(): Promise<void> {
    const path = new URL(this.page.url()).pathname;
    if (path.startsWith('/app/game/event/')) return this.#inRoom();
    if (path.startsWith('/app/game/')) return this.#inGame(path);
    if (path === this.#eventPath) await this.#press('Join Tournament');
  }

  async #inRoom(): Promise<void> {
    const match = this.page.getByRole('region', { name: 'Your match' });
    const text = await match.innerText({ timeout: 1_000 }).catch(() => '');
    for (const line of text.split('\n')) if (line.trim() !== '') this.told.add(line.trim());
    if (await match.getByRole('timer').isVisible()) this.told.add('a countdown');
  }

  async #inGame(path: string): Promise<void> {
    const turn = this.page.getByRole('heading', { name: 'Your turn' });
    if (!(await turn.isVisible().catch(() => false))) return;
    const wins = await this.#wins(path);
    if (wins === null) return;
    const cells = wins ? WINNERS_CELLS : LOSERS_CELLS;
    for (const [row, col] of cells) {
      const cell = this.page.getByRole('gridcell', { name: `Row ${row}, column ${col}, empty`, exact: true });
      if (!(await cell.isVisible().catch(() => false))) continue;
      await cell.click({ timeout: 2_000 }).catch(() => undefined);
      return;
    }
  }

  /** Whether this player is to win the game; null if there was no answer. */
  async #wins(path: string): Promise<boolean | null> {
    const known = this.#isWinning.get(path);
    if (known !== undefined) return known;
    const gameId = path.split('/').at(-1) ?? '';
    const answer = await read<{ game: { players: Seat[] } }>(this.page, 'game', 'get_game', { gameId }).catch(
      () => null,
    );
    if (answer === null) return null;
    const wins = !answer.game.players.some(({ username }) => this.#stronger.includes(username));
    this.#isWinning.set(path, wins);
    return wins;
  }

  async #press(name: string): Promise<void> {
    const button = this.page.getByRole('button', { name }).or(this.page.getByRole('link', { name })).first();
    if (!(await button.isVisible().catch(() => false)) || !(await button.isEnabled().catch(() => false))) return;
    await button.click({ timeout: 3_000 }).catch(() => undefined);
  }
}

/** The director, at the desk of the event. */
class Director {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Corrects a match that was played for whoever lost it. Returns the name of the new winner. */
  async corrects(round: number, { board, players, winnerUserId }: Match): Promise<string> {
    const loser = players.find(({ userId }) => userId !== winnerUserId);
    if (loser === undefined) throw new Error(`no loser on board ${board}`);
    const about = `the result of round ${round}, board ${board}`;
    const desk = this.#page.getByRole('region', { name: 'Director’s Desk' });
    await desk.getByLabel('Round', { exact: true }).selectOption(String(round));
    await desk.getByRole('button', { name: `Correct ${about}` }).click();
    const dialog = this.#page.getByRole('dialog', { name: `Correct ${about}` });
    await dialog.getByText(loser.username, { exact: true }).click();
    await dialog.getByLabel('Reason').fill('The two were entered the wrong way round.');
    await dialog.getByRole('button', { name: 'Set Result' }).click();
    await expect(dialog).toBeHidden();
    return loser.username;
  }

  async withdraws(name: string): Promise<void> {
    await this.#page.getByRole('button', { name: `Withdraw ${name}` }).click();
    const dialog = this.#page.getByRole('dialog', { name: `Withdraw ${name}` });
    await dialog.getByLabel('Reason').fill('Has to catch the last train.');
    await dialog.getByRole('button', { name: 'Withdraw' }).click();
    await expect(dialog).toBeHidden();
  }
}

/** Somebody without an account who has opened the matches of an event. */
class Visitor {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async opens(path: string): Promise<void> {
    await this.page.goto(path);
    // A document that was loaded again has lost it.
    await this.page.evaluate(() => document.documentElement.setAttribute('data-kept', ''));
  }

  shows(view: string): Promise<void> {
    return this.page.getByRole('tab', { name: view, exact: true }).click();
  }

  hasNotReloaded(): Promise<void> {
    return expect(this.page.locator('html[data-kept]')).toHaveCount(1);
  }
}

/** All that an evening's test works with. */
interface Evening {
  eventId: string;
  director: Director;
  directorPage: Page;
  visitor: Visitor;
  screen: Visitor;
  players: Entrant[];
  /** Takes pictures of what a desktop, a phone, the visitor, the projector and the director see. */
  moment: (what: string) => Promise<void>;
  rounds: () => Promise<Round[]>;
  standings: () => Promise<Place[]>;
  /** Waits for a match of the round that was decided on the board. */
  played: (round: number) => Promise<Match>;
  begun: (round: number) => Promise<void>;
}

interface Plan {
  format: 'knockout' | 'swiss' | 'roundRobin';
  title: string;
  more: object;
  /** How many of the players, from the last, sign up and do not come. */
  absent?: number;
  /** What is looked at, and done at the desk, while it goes on. */
  during: (evening: Evening) => Promise<void>;
  /** What the rooms have told the players in all. */
  told: RegExp[];
}

function evening({ format, title, more, absent = 0, during, told }: Plan): void {
  test(`an evening of a ${format}`, { tag: '@crowd' }, async ({ browser, appliance }, info) => {
    test.setTimeout(600_000);
    const desk = { baseURL: appliance.url };
    const phone = { ...desk, viewport: { width: 390, height: 844 }, hasTouch: true };
    const admin = await newPerson(browser, desk);
    await admin.promote(appliance);
    const people: Person[] = [];
    while (people.length < PLAYERS) {
      people.push(...(await Promise.all([newPerson(browser, desk), newPerson(browser, phone)])));
    }
    const { event } = await call<{ event: { eventId: string } }>(admin.page, 'event', 'create_event', {
      title,
      startTime: new Date(Date.now() + 3_600_000).toISOString(),
      endTime: new Date(Date.now() + 7_200_000).toISOString(),
      format,
      ...more,
    });
    const { eventId } = event;
    await call(admin.page, 'event', 'update_event', { eventId, eventState: 'published' });
    const path = `/app/events/view/${eventId}`;

    const names = people.map(({ name }) => name);
    const players: Entrant[] = [];
    for (const [at, person] of people.entries()) players.push(await Entrant.of(person, eventId, names.slice(0, at)));
    const monitors = [await PageMonitor.of(admin, FORBIDDEN_TEXTS), ...players.map(({ monitor }) => monitor)];
    await test.step('eight people sign up', async () => {
      for (const { page } of players) {
        await page.getByRole('button', { name: 'Register Now' }).click();
        await expect(page.getByRole('button', { name: 'Unregister' })).toBeVisible();
      }
    });
    const outside = await browser.newContext({ ...desk, reducedMotion: 'reduce' });
    const [visitor, screen] = [new Visitor(await outside.newPage()), new Visitor(await outside.newPage())];
    await visitor.opens(path);
    await screen.opens(`/screen/${eventId}`);

    await test.step('the director starts it, and every page turns live by itself', async () => {
      await admin.page.goto(`/app/admin/events/${eventId}`);
      await admin.page.getByRole('button', { name: 'Start Event' }).click();
      await expect(admin.page.getByRole('region', { name: 'Director’s Desk' })).toBeVisible();
      await visitor.shows('Matches');
    });
    const rounds = async () => {
      return (await read<{ rounds: Round[] }>(admin.page, 'event', 'get_rounds', { eventId })).rounds;
    };
    const standings = async () => {
      return (await read<{ standings: Place[] }>(admin.page, 'event', 'get_standings', { eventId })).standings;
    };
    const [desktop, small] = [players[0]!, players[1]!];
    const moment = async (what: string) => {
      const pages = {
        desktop: desktop.page,
        phone: small.page,
        visitor: visitor.page,
        screen: screen.page,
        desk: admin.page,
      };
      const taken = Object.entries(pages).map(([who, page]) => takeMoment(info, page, `${title}, ${what}, ${who}`));
      await Promise.allSettled(taken);
    };
    const poll = { timeout: ROUND_MS, intervals: [500] };
    const played = async (round: number) => {
      let found: Match | undefined;
      await expect(async () => {
        const { pairings = [] } = (await rounds()).find((each) => each.round === round) ?? {};
        found = pairings.find(({ reason }) => reason === 'played');
        expect(found).toBeDefined();
      }).toPass(poll);
      return found!;
    };
    const begun = (round: number) =>
      expect(async () => {
        const { state } = (await rounds()).find((each) => each.round === round) ?? {};
        expect(state).not.toBe('planned');
        expect(state).toBeDefined();
      }).toPass(poll);

    let isOver = false;
    const coming = players.slice(0, PLAYERS - absent);
    const evenings = coming.map(async (player) => {
      while (!isOver) {
        await player.step();
        await player.page.waitForTimeout(STEP_MS);
      }
    });
    const isShown = async () => {
      for (const { page } of coming) await expect(winnersOn(page).first()).toBeVisible({ timeout: 1_000 });
    };
    try {
      const director = new Director(admin.page);
      const all = { eventId, director, directorPage: admin.page, visitor, screen, players, moment, rounds, standings };
      await during({ ...all, played, begun });
      await test.step('it ends by itself, and all see the winners', () =>
        expect(isShown).toPass({ timeout: 4 * ROUND_MS, intervals: [1_000] }));
    } finally {
      isOver = true;
      await Promise.all(evenings);
    }

    const places = await standings();
    await test.step('all see the same winners and the same table', async () => {
      const winners = places.filter(({ points, withdrawn }) => points > 0 && !withdrawn).slice(0, 3);
      for (const { page } of coming) {
        await expect(winnersOn(page)).toHaveCount(winners.length);
        for (const [at, { username }] of winners.entries())
          await expect(winnersOn(page).nth(at)).toContainText(username);
      }
      await moment('the winners');
      await visitor.shows('Standings');
      for (const { page, name } of coming) {
        await page.getByRole('tab', { name: 'Matches' }).click();
        await page.getByRole('tab', { name: 'Standings' }).click();
        const place = places.find(({ username }) => username === name)?.rank ?? 0;
        await expect(page.getByText(`Your place: ${place} of ${places.length}`)).toBeVisible();
        await expect(rowsOn(page)).toHaveText(places.map(({ username }) => new RegExp(username)));
      }
      await expect(rowsOn(visitor.page)).toHaveText(places.map(({ username }) => new RegExp(username)));
    });
    await moment('the table');

    await test.step('the table is what the matches say, and the stored games lead to it', async () => {
      const won = (await rounds()).flatMap(({ pairings }) => pairings);
      for (const { userId, username, points } of places) {
        const counted = won.filter(({ winnerUserId, bye }) => winnerUserId === userId && !(bye && format !== 'swiss'));
        expect(points, username).toBe(counted.length);
      }
      const verified = await read<{ agrees: boolean; differences: unknown[] }>(admin.page, 'event', 'verify_event', {
        eventId,
      });
      expect(verified).toMatchObject({ agrees: true, differences: [] });
    });

    const lines = coming.flatMap((player) => [...player.told]);
    for (const text of told)
      expect(
        lines.filter((line) => text.test(line)),
        String(text),
      ).not.toEqual([]);
    for (const each of [visitor, screen]) await each.hasNotReloaded();
    expect(monitors.flatMap(({ seen }) => seen)).toEqual([]);
    for (const { page } of [visitor, admin, ...players]) await page.context().close();
  });
}

const winnersOn = (page: Page): Locator => page.getByRole('region', { name: 'Winners' }).getByRole('listitem');
const rowsOn = (page: Page): Locator =>
  page.getByRole('region', { name: 'Standings' }).locator('tbody').getByRole('row');

/** A player's seat in a match that is won, in a bracket or a list of pairings. */
const wonSeat = (page: Page, name: string): Locator => page.locator('[data-result="won"]', { hasText: name });

evening({
  format: 'knockout',
  title: 'Evening Knockout',
  more: { matchGames: 2, thirdPlace: true },
  absent: 1,
  async during({ director, visitor, screen, players, played, rounds, begun, moment }) {
    const { page } = visitor;
    const semifinals = page.getByRole('region', { name: 'Semi-finals' });
    await test.step('the bracket stands as soon as it is fixed, before the first game', async () => {
      for (const { name } of players) await expect(page.getByRole('region', { name: 'Bracket' })).toContainText(name);
      await expect(screen.page.getByRole('region', { name: 'Bracket' })).toContainText(players[0]!.name);
    });
    const match = await played(1);
    const winner = match.players.find(({ userId }) => userId === match.winnerUserId)?.username ?? '';
    await test.step('whoever wins moves on before the visitor’s eyes', async () => {
      for (const each of [page, screen.page]) await expect(wonSeat(each, winner)).toHaveCount(1);
      await expect(semifinals).toContainText(winner);
    });
    await test.step('a corrected result puts the other one there', async () => {
      const corrected = await director.corrects(1, match);
      await expect(semifinals).toContainText(corrected);
      await expect(semifinals).not.toContainText(winner);
      await expect(page.getByText('Decided by an organiser')).toBeVisible();
      await expect(wonSeat(screen.page, corrected)).toHaveCount(1);
    });
    await moment('corrected, and one waits for who is absent');
    await begun(2);
    await test.step('who did not come has lost', async () => {
      const [first] = await rounds();
      expect(first?.pairings.map(({ reason }) => reason)).toContain('absent');
      await expect(page.getByText('Decided by absence')).toBeVisible();
    });
    await moment('the semi-finals');
    await begun(3);
    await moment('the final');
  },
  told: [
    /^You play player/,
    /^Quarter-finals, board \d, (you|they) begin the first game$/,
    /^a countdown$/,
    /^Your game opens as soon as you are both here\.$/,
    /^You won your match$/,
    /^Next you (play|meet whoever wins) player/,
    /waiting for \d other match/,
    /^You are out$/,
  ],
});

evening({
  format: 'swiss',
  title: 'Evening Swiss',
  more: { rounds: 4, matchGames: 1 },
  async during({ director, visitor, players, played, rounds, moment }) {
    const { page } = visitor;
    await test.step('the pairings stand, and count down to their games', async () => {
      await expect(page.getByRole('list', { name: 'Matches of Round 1 of 4' }).getByRole('listitem')).not.toHaveCount(
        0,
      );
      await expect(
        page
          .getByRole('timer')
          .or(page.getByText(/ matches decided\.$/))
          .first(),
      ).toBeVisible();
    });
    const gone = players.at(-1)!;
    await test.step('a player is withdrawn, and the table says so', async () => {
      await director.withdraws(gone.name);
      await visitor.shows('Standings');
      await expect(page.getByRole('row', { name: new RegExp(gone.name) })).toContainText('Withdrawn');
    });
    await moment('one is withdrawn');
    const match = await played(1);
    await test.step('a corrected result moves the table before the visitor’s eyes', async () => {
      const corrected = await director.corrects(1, match);
      const row = page.getByRole('row', { name: new RegExp(corrected) });
      await expect(row.getByRole('cell').nth(1)).not.toHaveText('0');
      await visitor.shows('Rounds');
      await page.getByLabel('Round', { exact: true }).selectOption('1');
      await expect(wonSeat(page, corrected)).toHaveCount(1);
      await expect(page.getByText(`${corrected} won · Decided by an organiser`)).toBeVisible();
    });
    await test.step('of those who are left somebody has a bye', async () => {
      let withBye: Round | undefined;
      await expect(async () => {
        withBye = (await rounds()).find(({ pairings }) => pairings.some(({ bye }) => bye));
        expect(withBye).toBeDefined();
      }).toPass({ timeout: ROUND_MS, intervals: [500] });
      await page.getByLabel('Round', { exact: true }).selectOption(String(withBye?.round));
      await expect(page.getByText('Bye: no opponent')).toBeVisible();
    });
    await moment('a bye');
  },
  told: [
    /^You play player/,
    /^Round \d, board \d, (you|they) begin the first game$/,
    /^a countdown$/,
    /^You (won|lost) your match$/,
    /waiting for \d other match|^Your match is decided/,
    /^You have a bye this round$/,
    /^It counts as a match won\.$/,
    /^You were withdrawn$/,
  ],
});

evening({
  format: 'roundRobin',
  title: 'Evening Round Robin',
  more: { matchGames: 1 },
  async during({ director, visitor, screen, players, played, begun, moment }) {
    const { page } = visitor;
    await visitor.shows('Cross table');
    const table = page.getByRole('region', { name: 'Cross table' });
    await test.step('everybody is in the cross table', async () => {
      await expect(table.locator('tbody').getByRole('row')).toHaveCount(PLAYERS);
      for (const { name } of players) await expect(table).toContainText(name);
    });
    await begun(1);
    await moment('the first games');
    const match = await played(1);
    await test.step('a result appears in it, and is corrected, before the visitor’s eyes', async () => {
      const winner = match.players.find(({ userId }) => userId === match.winnerUserId)?.username ?? '';
      await expect(table.locator(`[title="${winner} won"]`)).not.toHaveCount(0);
      const corrected = await director.corrects(1, match);
      const result = `[title="${corrected} won · Decided by an organiser"]`;
      await expect(table.locator(result)).toHaveCount(2);
      const row = table.locator('tbody tr', { has: page.locator('th', { hasText: winner }) });
      await expect(row.locator(result)).toHaveAttribute('data-sign', '0');
    });
    await begun(4);
    await moment('half of it');
    await expect(screen.page.getByText(/^Round robin · Round [4-7] of 7$/)).toBeVisible();
    await begun(7);
    await visitor.shows('Standings');
  },
  told: [
    /^You play player/,
    /^Round \d, board \d, (you|they) begin the first game$/,
    /^a countdown$/,
    /^You (won|lost) your match$/,
    /waiting for \d other match|^Your match is decided/,
  ],
});
