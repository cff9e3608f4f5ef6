// `make lighthouse`: measures the pages people see first on a phone, five times each, against the server in
// MORPION_BIN, and fails where a median falls short. For figures that mean something, give it a release build and a
// machine with nothing else to do. RUNS and PAGES (paths, with commas) narrow it down.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type APIRequestContext, chromium, request as requests } from '@playwright/test';
import lighthouse, { type Result } from 'lighthouse';
import { Appliance } from '../e2e/appliance.ts';

const RUNS = Number(process.env.RUNS ?? 5);
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
type Scores = Record<(typeof CATEGORIES)[number], number>;

/** The minimum medians; pages behind the sign-in need no search engine optimisation. */
const PUBLIC: Scores = { performance: 95, accessibility: 100, 'best-practices': 100, seo: 100 };
const OWN: Scores = { ...PUBLIC, seo: 0 };
const TIMES = ['first-contentful-paint', 'largest-contentful-paint', 'total-blocking-time', 'cumulative-layout-shift'];

interface User {
  userId: string;
  username: string;
}

/** A signed-in user whose calls send cookies and the CSRF token. */
class Account {
  readonly user: User;
  readonly #calls: APIRequestContext;

  private constructor(user: User, calls: APIRequestContext) {
    this.user = user;
    this.#calls = calls;
  }

  static async register(calls: APIRequestContext, username: string): Promise<Account> {
    await calls.get('/api/auth/check-login');
    const { user } = (await post(calls, '/api/auth/register', {
      username,
      email: `${username}@example.org`,
      password: 'Chalk-and-1nk',
      firstName: 'Ada',
      lastName: 'Lovelace',
      accountType: 'local',
      isGoogleAccount: false,
    })) as { user: User };
    return new Account(user, calls);
  }

  async invite(other: User): Promise<string> {
    const players = [this.user, other].map(({ userId, username }) => ({ userId, username }));
    const payload = { gameId: randomUUID(), gameType: 'invite', boardSize: 3, players };
    const answer = await post(this.#calls, '/api/backend/game', { action: 'create_game', payload });
    return (answer as { game: { gameId: string } }).game.gameId;
  }

  /** Joins a game and stays until the socket is closed. */
  async join(origin: string, gameId: string): Promise<WebSocket> {
    const { userId } = this.user;
    const headers = { cookie: await cookies(this.#calls), origin };
    // Node's WebSocket, which unlike a browser's accepts headers.
    const socket = new WebSocket(`${origin.replace('http', 'ws')}/api/backend/realtime`, { headers } as never);
    await once(socket, 'open');
    socket.send(JSON.stringify({ event: 'authenticate', data: { userId } }));
    socket.send(JSON.stringify({ event: 'joinGame', data: { userId, gameId } }));
    return socket;
  }
}

async function cookies(calls: APIRequestContext): Promise<string> {
  const { cookies: kept } = await calls.storageState();
  return kept.map(({ name, value }) => `${name}=${value}`).join('; ');
}

async function post(calls: APIRequestContext, path: string, data: unknown): Promise<unknown> {
  const { cookies: kept } = await calls.storageState();
  const token = decodeURIComponent(kept.find(({ name }) => name === 'XSRF-TOKEN')?.value ?? '');
  const answer = await calls.post(path, { data, headers: { 'X-XSRF-TOKEN': token } });
  if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`);
  return answer.json();
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

/** Runs the mobile preset several times on a page, prints the medians and returns whether they suffice. */
async function measure(url: string, path: string, wanted: Scores, port: number): Promise<boolean> {
  const results: Result[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    // Storage is cleared before each run, cookies are kept: each run is a first visit.
    const outcome = await lighthouse(url, { port, logLevel: 'error', onlyCategories: [...CATEGORIES] });
    if (outcome?.lhr.runtimeError) throw new Error(`${path}: ${outcome.lhr.runtimeError.message}`);
    if (outcome !== undefined) results.push(outcome.lhr);
  }
  const scores = CATEGORIES.map((name) => {
    const score = Math.round(median(results.map(({ categories }) => categories[name]?.score ?? 0)) * 100);
    return { name, score, isEnough: score >= wanted[name] };
  });
  const times = TIMES.map(
    (id) => `${id} ${median(results.map(({ audits }) => audits[id]?.numericValue ?? 0)).toFixed(2)}`,
  );
  console.log(`\n${path}`);
  console.log(`  ${scores.map(({ name, score, isEnough }) => `${name} ${score}${isEnough ? '' : ' ✗'}`).join('   ')}`);
  console.log(`  ${times.join('   ')}`);
  for (const text of scores.every(({ isEnough }) => isEnough) ? [] : failures(results)) console.log(`    ${text}`);
  return scores.every(({ isEnough }) => isEnough);
}

/** The audits that failed in any run, and where. */
function failures(results: Result[]): Set<string> {
  const failed = results
    .flatMap(({ audits }) => Object.values(audits))
    .filter(({ score }) => score !== null && score < 0.9);
  return new Set(failed.map(({ id, title, displayValue }) => [id, title, displayValue].filter(Boolean).join(' · ')));
}

const appliance = await Appliance.start();
const profile = await mkdtemp(join(tmpdir(), 'morpion-lighthouse-'));
const port = await freePort();
const browser = await chromium.launchPersistentContext(profile, {
  executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', `--remote-debugging-port=${port}`],
  baseURL: appliance.url,
  viewport: null,
});
try {
  const enough: boolean[] = [];
  const isWanted = (path: string) => process.env.PAGES === undefined || process.env.PAGES.split(',').includes(path);
  for (const path of ['/', '/tournaments', '/login'].filter(isWanted)) {
    enough.push(await measure(appliance.url + path, path, PUBLIC, port));
  }
  const ada = await Account.register(browser.request, 'ada');
  const bob = await Account.register(await requests.newContext({ baseURL: appliance.url }), 'bob');
  if (isWanted('/app/home')) enough.push(await measure(`${appliance.url}/app/home`, '/app/home', OWN, port));
  if (isWanted('game')) {
    const gameId = await ada.invite(bob.user);
    const seat = await bob.join(appliance.url, gameId);
    enough.push(await measure(`${appliance.url}/app/game/${gameId}`, 'a live game', OWN, port));
    seat.close();
  }
  process.exitCode = enough.every(Boolean) ? 0 : 1;
} finally {
  await browser.close();
  await appliance.remove();
  await rm(profile, { recursive: true, force: true });
}
