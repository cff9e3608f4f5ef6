import type { TestInfo } from '@playwright/test';
import { call } from './calls';
import { expect, type Person, playInTurn } from './fixtures';

export type Pair = [Person, Person];
export type Cell = [row: number, col: number];

/** A drawn 3×3 game; the first of the two starts. */
export const DRAW_MOVES: Cell[] = [
  [1, 1],
  [1, 2],
  [1, 3],
  [2, 2],
  [2, 1],
  [2, 3],
  [3, 2],
  [3, 1],
  [3, 3],
];
/** The first of the two starts and wins with the top row. */
export const WIN_MOVES: Cell[] = [
  [1, 1],
  [2, 1],
  [1, 2],
  [2, 2],
  [1, 3],
];

/** Creates, publishes and starts an event through the API. */
export async function createLiveEvent(admin: Person, title: string): Promise<string> {
  const times = { startTime: '2099-01-01T10:00:00Z', endTime: '2099-01-01T11:00:00Z' };
  const { event } = await call<{ event: { eventId: string } }>(admin.page, 'event', 'create_event', {
    title,
    ...times,
  });
  const { eventId } = event;
  await call(admin.page, 'event', 'update_event', { eventId, eventState: 'published' });
  await call(admin.page, 'event', 'start_event', { eventId });
  return eventId;
}

/** Saves a screenshot with the test's results, whether the test passes or not. */
export async function attachScreenshot(info: TestInfo, { page, name }: Person, what: string): Promise<void> {
  const path = info.outputPath(`${what.replaceAll(' ', '-')}-${name}.png`);
  await page.screenshot({ path });
  info.attachments.push({ name: `${what} (${name})`, path, contentType: 'image/png' });
}

export const GAME_URL = /\/app\/game\/[\da-f-]{36}$/;

/** Waits until everybody is in a game. Returns the pairs, whoever starts first. */
export async function waitForPairs(people: Person[]): Promise<Pair[]> {
  await Promise.all(people.map(({ page }) => expect(page).toHaveURL(GAME_URL, { timeout: 40_000 })));
  const games = new Set(people.map(({ page }) => page.url()));
  return Promise.all([...games].map((url) => inTurnOrder(people.filter(({ page }) => page.url() === url))));
}

/** The two players of a game; the one whose turn it is comes first. */
export async function inTurnOrder(two: Person[]): Promise<Pair> {
  const [first, second] = two;
  if (first === undefined || second === undefined) throw new Error(`a game of ${two.map(({ name }) => name).join()}`);
  const turn = first.page.getByRole('heading', { name: 'Your turn' });
  await expect(turn.or(first.page.getByRole('heading', { name: `${second.name}'s turn` }))).toBeVisible();
  return (await turn.isVisible()) ? [first, second] : [second, first];
}

export async function playToWin([winner, loser]: Pair): Promise<void> {
  await playInTurn([winner, loser], WIN_MOVES);
  await Promise.all([winner.sees('You Won!'), loser.sees(`${winner.name} Won!`)]);
}

/** Stops the countdown that starts the next match after a game. */
export async function cancelNextMatch(people: Person[]): Promise<void> {
  await Promise.all(people.map(({ page }) => page.getByRole('button', { name: 'Cancel' }).click()));
}

/** All press Find Match. They are paired with each other unless they have just played. */
export async function findMatches(people: Person[]): Promise<Pair[]> {
  await Promise.all(people.map(({ page }) => page.getByRole('button', { name: 'Find Match' }).click()));
  return waitForPairs(people);
}
