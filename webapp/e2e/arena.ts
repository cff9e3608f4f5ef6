import type { TestInfo } from '@playwright/test';
import { call } from './calls';
import { expect, type Person, playInTurn } from './fixtures';

export type Pair = [Person, Person];
export type Place = [row: number, col: number];

/** The first of the two starts, and nobody gets a line. */
export const DRAW: Place[] = [
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
/** The first of the two starts, and gets the upper row. */
export const WIN: Place[] = [
  [1, 1],
  [2, 1],
  [1, 2],
  [2, 2],
  [1, 3],
];

/** A live event that comes from nowhere, for the plan's limit to be about. */
export async function liveEvent(admin: Person, title: string): Promise<string> {
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

/** Kept beside the test's results, whether it passes or not. */
export async function picture(info: TestInfo, { page, name }: Person, what: string): Promise<void> {
  const path = info.outputPath(`${what.replaceAll(' ', '-')}-${name}.png`);
  await page.screenshot({ path });
  info.attachments.push({ name: `${what} (${name})`, path, contentType: 'image/png' });
}

export const GAME = /\/app\/game\/[\da-f-]{36}$/;

/** Waits until all are in a game; who plays whom, each pair with who starts first. */
export async function paired(people: Person[]): Promise<Pair[]> {
  await Promise.all(people.map(({ page }) => expect(page).toHaveURL(GAME, { timeout: 40_000 })));
  const games = new Set(people.map(({ page }) => page.url()));
  return Promise.all([...games].map((url) => inOrder(people.filter(({ page }) => page.url() === url))));
}

/** The two of a game, whose turn it is first. */
export async function inOrder(two: Person[]): Promise<Pair> {
  const [first, second] = two;
  if (first === undefined || second === undefined) throw new Error(`a game of ${two.map(({ name }) => name).join()}`);
  const turn = first.page.getByRole('heading', { name: 'Your turn' });
  await expect(turn.or(first.page.getByRole('heading', { name: `${second.name}'s turn` }))).toBeVisible();
  return (await turn.isVisible()) ? [first, second] : [second, first];
}

export async function win([winner, loser]: Pair): Promise<void> {
  await playInTurn([winner, loser], WIN);
  await Promise.all([winner.sees('You Won!'), loser.sees(`${winner.name} Won!`)]);
}

/** Stops the countdown to the next match, which comes by itself after the game. */
export async function rest(people: Person[]): Promise<void> {
  await Promise.all(people.map(({ page }) => page.getByRole('button', { name: 'Cancel' }).click()));
}

/** Looks for opponents; whoever is asked together meets each other, if they have not just played. */
export async function search(people: Person[]): Promise<Pair[]> {
  await Promise.all(people.map(({ page }) => page.getByRole('button', { name: 'Find Match' }).click()));
  return paired(people);
}
