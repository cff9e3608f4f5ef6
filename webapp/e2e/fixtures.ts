import {
  test as base,
  expect,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Locator,
  type Page,
} from '@playwright/test';
import { Appliance } from './appliance';
import { ownHeaders } from './calls';

/** The password of every account. */
export const PASSWORD = 'Chalk-and-1nk';

let people = 0;

/** A name that nobody has, in letters that make no words: some words are refused. */
export function newName(prefix: string): string {
  const digits = [...(Date.now() % 10_000_000).toString(7)];
  return `${prefix}_${digits.map((digit) => 'dhmqvtn'[Number(digit)]).join('')}`;
}

/** What the browser logs when the server or the network is lost, which some tests provoke. */
const CONNECTION_LOST =
  /WebSocket connection to|ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|ERR_INTERNET_DISCONNECTED|unknown error occurred when fetching the script/;

/** A user with their own browser. */
export class Person {
  readonly page: Page;
  readonly name: string;
  /** Errors in the console and uncaught errors; tests expect none. */
  readonly errors: string[] = [];

  constructor(page: Page, name: string) {
    this.page = page;
    this.name = name;
    page.on('console', (message) => {
      if (message.type() === 'error' && !CONNECTION_LOST.test(message.text())) this.errors.push(message.text());
    });
    page.on('pageerror', (error) => this.errors.push(error.message));
  }

  /** Registers by the API, which takes a fraction of the time that the screens take, and opens Home. */
  async register(): Promise<void> {
    const { page, name } = this;
    const { request } = page.context();
    const origin = new URL((await request.get('/api/auth/check-login')).url()).origin;
    const account = { username: name, email: `${name}@example.org`, password: PASSWORD, accountType: 'local' };
    const answer = await request.post('/api/auth/register', {
      headers: await ownHeaders(page, origin),
      data: { ...account, firstName: '', lastName: '', isGoogleAccount: false },
    });
    expect(await answer.json(), `registering ${name}`).toMatchObject({ succeeded: true });
    await page.goto('/app/home');
    await this.sees(`Welcome, ${name}!`);
  }

  /** Registers as people do. */
  async registerOnScreen(): Promise<void> {
    const { page } = this;
    await page.goto('/register');
    await page.getByLabel('Username').fill(this.name);
    await page.getByLabel('Email').fill(`${this.name}@example.org`);
    await page.getByLabel(/^Password/).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign Up' }).click();
    await expect(page.getByRole('heading', { name: 'Set up your account' })).toBeVisible();
    await page.getByRole('link', { name: 'Later' }).click();
    await expect(page.getByRole('heading', { name: `Welcome, ${this.name}!` })).toBeVisible();
  }

  /** Finds the other by name, chooses the board, and the clock if it is named, and creates the game. */
  async invite(other: Person, size = 3, clock?: string): Promise<void> {
    const { page } = this;
    await page.goto('/app/practice/remote');
    await page.getByPlaceholder('Search by username…').fill(other.name);
    await page.getByRole('button', { name: `Select ${other.name}` }).click();
    await page.getByText(`${size}×${size}`, { exact: true }).click();
    if (clock !== undefined) await page.getByText(clock, { exact: true }).click();
    await page.getByRole('button', { name: 'Create Game' }).click();
    await expect(page.getByRole('heading', { name: 'Waiting for Opponent' })).toBeVisible();
  }

  /** Accepts the invitation that is shown. */
  async accept(other: Person): Promise<void> {
    await expect(this.page.getByText(`${other.name} invites you to a game`)).toBeVisible();
    await this.page.getByRole('button', { name: /^Accept/ }).click();
    await expect(this.page.getByRole('grid')).toBeVisible();
  }

  /** A cell, counted from 1 as in its accessible name. */
  cell(row: number, col: number): Locator {
    return this.page.getByRole('gridcell', { name: new RegExp(`^Row ${row}, column ${col},`) });
  }

  async plays(row: number, col: number): Promise<void> {
    await expect(this.page.getByRole('heading', { name: 'Your turn' })).toBeVisible();
    await this.cell(row, col).click();
    await expect(this.cell(row, col)).toHaveAccessibleName(/, [XO]$/);
  }

  /** Makes this person an admin, and waits for the page to know it: it loads anew for that. */
  async promote(appliance: Appliance): Promise<void> {
    await appliance.command('admin', 'promote', this.name);
    await expect(this.page.getByRole('navigation', { name: 'Admin' })).toBeVisible();
  }

  sees(heading: string): Promise<void> {
    return expect(this.page.getByRole('heading', { name: heading })).toBeVisible();
  }
}

/** Registers a new account in its own browser. */
export async function newPerson(
  browser: Browser,
  options: BrowserContextOptions,
  register = (person: Person) => person.register(),
  prefix = 'player',
): Promise<Person> {
  // Counted before the first `await`: several may register at once.
  people += 1;
  const name = newName(`${prefix}_${people}`);
  const context = await browser.newContext(options);
  const person = new Person(await context.newPage(), name);
  await register(person);
  return person;
}

interface Fixtures {
  /** No page of a test, whoever opened it, logs an error or throws one. */
  soundPages: void;
  /** A user who has registered on the screens and is signed in. */
  newcomer: Person;
  /** A signed-in user. */
  ada: Person;
  /** Two users in two browsers, signed in. */
  two: [Person, Person];
}

/** Registers as many users, all at once, and expects no errors in their browsers after the test. */
async function withPeople(
  count: number,
  browser: Browser,
  baseURL: string | undefined,
  use: (people: Person[]) => Promise<void>,
  register?: (person: Person) => Promise<void>,
): Promise<void> {
  const options = baseURL === undefined ? {} : { baseURL };
  const people = await Promise.all(Array.from({ length: count }, () => newPerson(browser, options, register)));
  await use(people);
  for (const { page, name, errors } of people) {
    expect(errors, `errors in the browser of ${name}`).toEqual([]);
    await page.context().close();
  }
}

/** What the browser logs of a call that was refused: some tests provoke it, and who expects none sees `Person.errors`. */
const REFUSED = /^Failed to load resource: the server responded with a status of/;

export const test = base.extend<Fixtures, { appliance: Appliance }>({
  soundPages: [
    async ({ browser }, use) => {
      const errors: string[] = [];
      const note = (text: string, url: string) => {
        if (!CONNECTION_LOST.test(text) && !REFUSED.test(text)) errors.push(`${url}: ${text}`);
      };
      const watch = (context: BrowserContext) => {
        context.on('console', (message) => {
          if (message.type() === 'error') note(message.text(), message.page()?.url() ?? '');
        });
        context.on('weberror', (error) => note(error.error().message, error.page()?.url() ?? ''));
      };
      browser.on('context', watch);
      await use();
      browser.off('context', watch);
      expect(errors, 'errors in the console of a page').toEqual([]);
    },
    { auto: true },
  ],
  appliance: [
    // eslint-disable-next-line no-empty-pattern -- playwright wants the pattern
    async ({}, use) => {
      const appliance = await Appliance.start();
      await use(appliance);
      await appliance.remove();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  baseURL: ({ appliance }, use) => use(appliance.url),
  newcomer: ({ browser, baseURL }, use) =>
    withPeople(
      1,
      browser,
      baseURL,
      ([newcomer]) => use(newcomer!),
      (person) => person.registerOnScreen(),
    ),
  ada: ({ browser, baseURL }, use) => withPeople(1, browser, baseURL, ([ada]) => use(ada!)),
  two: ({ browser, baseURL }, use) => withPeople(2, browser, baseURL, ([ada, bob]) => use([ada!, bob!])),
});

export { expect };

/** Plays the moves in turn, the first by the first person. */
export async function playInTurn([first, second]: [Person, Person], places: [row: number, col: number][]) {
  for (const [at, [row, col]] of places.entries()) {
    await (at % 2 === 0 ? first : second).plays(row, col);
  }
}

/** A game of two that the first wins after one move. */
export async function playOut(ada: Person, bob: Person): Promise<void> {
  await ada.invite(bob);
  await bob.accept(ada);
  await ada.plays(2, 2);
  await bob.page.getByRole('button', { name: 'Forfeit and close' }).click();
  await bob.page.getByRole('dialog', { name: 'Confirm Forfeit' }).getByRole('button', { name: 'Forfeit' }).click();
  await ada.sees('You Won!');
}
