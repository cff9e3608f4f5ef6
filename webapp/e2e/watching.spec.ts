import type { Browser } from '@playwright/test';
import { AddressProxy } from './addressProxy';
import { attachScreenshot } from './eventPlay';
import { expect, newPerson, type Person, test as base } from './fixtures';
import { expectWholeSeats } from './seats';

interface Rivals {
  /** Two people at addresses of their own, who can play rated games. */
  rivals: [Person, Person];
}

const test = base.extend<Rivals>({
  rivals: async ({ browser, baseURL }, use) => {
    const proxies = await Promise.all(['127.0.0.2', '127.0.0.3'].map((address) => AddressProxy.start(address)));
    const people = await Promise.all(proxies.map(({ url }) => newcomer(browser, baseURL, url)));
    const [first, second] = people;
    if (first === undefined || second === undefined) throw new Error('two people');
    await use([first, second]);
    for (const { page, name, errors } of people) {
      expect(errors, `errors in the browser of ${name}`).toEqual([]);
      await page.context().close();
    }
    proxies.forEach((proxy) => proxy.stop());
  },
});

function newcomer(browser: Browser, baseURL: string | undefined, server: string): Promise<Person> {
  return newPerson(browser, { ...(baseURL === undefined ? {} : { baseURL }), proxy: { server } });
}

/** Both look for a rated game on a small board, and sit at it; returns them in the order of their turns. */
async function atBoard([ada, bob]: [Person, Person], clock?: string): Promise<[Person, Person]> {
  for (const { page } of [ada, bob]) {
    await page.goto('/app/play');
    const choices = ['3×3', 'Rated', ...(clock === undefined ? [] : [clock])];
    for (const choice of choices) await page.getByRole('radio', { name: choice }).check({ force: true });
    await page.getByRole('button', { name: 'Find an opponent' }).click();
  }
  for (const { page } of [ada, bob]) await expect(page.getByRole('grid')).toBeVisible();
  return (await ada.page.getByRole('heading', { name: 'Your turn' }).isVisible()) ? [ada, bob] : [bob, ada];
}

test('a spectator follows a quick match to its end, and the players see that somebody watches', async ({
  rivals,
  ada: eve,
}) => {
  await eve.page.goto('/app/watch');
  await expect(eve.page.getByRole('link', { name: 'Find an opponent' })).toBeVisible();
  const [first, second] = await atBoard(rivals);
  const names = new RegExp(`^Watch .*${first.name}`);
  const card = eve.page.getByRole('article').filter({ hasText: first.name });
  await expect(card).toBeVisible();
  await first.plays(1, 1);
  // The board moves.
  await expect(card.locator('svg g[transform]')).toHaveCount(1);
  await eve.page.getByRole('link', { name: names }).click();
  await eve.sees('Watching a game');
  for (const { page } of rivals) await expect(page.getByText('1 watching')).toBeVisible();
  await expect(eve.page.getByText('1 watching')).toBeVisible();
  await second.plays(2, 1);
  await expect(eve.cell(2, 1)).toHaveAccessibleName(/, [XO]$/);
  await first.plays(1, 2);
  await second.plays(2, 2);
  await first.plays(1, 3);
  await first.sees('You Won!');
  await eve.sees(`${first.name} Won!`);
  await eve.page.getByRole('link', { name: 'Back to Live now' }).click();
  await expect(eve.page.getByRole('link', { name: 'Find an opponent' })).toBeVisible();
  for (const { page } of rivals) await expect(page.getByText('1 watching')).toBeHidden();
});

test('the seats show new ratings and clocks in full', async ({ rivals, ada: eve }, info) => {
  const [first, second] = await atBoard(rivals, '1 min + 2 s');
  await first.plays(1, 1);
  await eve.page.goto(`${new URL(first.page.url()).pathname}?watch=true`);
  await eve.sees('Watching a game');
  await expectWholeSeats(eve.page, (name) => attachScreenshot(info, eve, `watching ${name}`));
  await second.page.getByRole('button', { name: 'Forfeit and close' }).click();
  await second.page.getByRole('dialog').getByRole('button', { name: 'Forfeit' }).click();
  await first.sees('You Won!');
  await expect(first.page.locator('[data-viewer=self]')).toContainText('+');
  await expectWholeSeats(first.page, (name) => attachScreenshot(info, first, `end ${name}`));
});

test('a reaction arrives, and can be muted', async ({ rivals, ada: eve }) => {
  const [first, second] = await atBoard(rivals);
  const react = (person: Person, name: string) =>
    person.page.getByRole('group', { name: 'Reactions' }).getByRole('button', { name }).click();
  const read = (person: Person, text: string) => person.page.getByText(`${second.name}: ${text}.`);
  await eve.page.goto('/app/watch');
  await eve.page.getByRole('link', { name: new RegExp(`^Watch .*${second.name}`) }).click();
  await eve.sees('Watching a game');
  await react(second, 'Good luck');
  for (const person of [first, eve]) await expect(read(person, 'Good luck')).toBeAttached();

  const mute = first.page.getByRole('switch', { name: 'Mute reactions' });
  await mute.click();
  await expect(mute).toBeChecked();
  await expect(read(eve, 'Good luck')).not.toBeAttached();
  await expect(second.page.getByRole('button', { name: 'Wow' })).toHaveAttribute('aria-disabled', 'false');
  await react(second, 'Wow');
  await expect(read(eve, 'Wow')).toBeAttached();
  await expect(read(first, 'Wow')).not.toBeAttached();

  await mute.click();
  await expect(read(eve, 'Wow')).not.toBeAttached();
  await expect(second.page.getByRole('button', { name: 'Oops' })).toHaveAttribute('aria-disabled', 'false');
  await react(second, 'Oops');
  await expect(read(first, 'Oops')).toBeAttached();
});

test('who plays a listed game is led to it as a player', async ({ rivals }) => {
  const [first] = await atBoard(rivals);
  const path = new URL(first.page.url()).pathname;
  const tab = await first.page.context().newPage();
  await tab.goto('/app/watch');
  const own = tab.getByRole('link', { name: /^Return to your game/ });
  await expect(own).toHaveAttribute('href', path);
  await own.click();
  await expect(tab.getByRole('heading', { name: 'Your turn' })).toBeVisible();
  // Also by a link to watch.
  await tab.goto(`${path}?watch=true`);
  await expect(tab.getByRole('heading', { name: 'Your turn' })).toBeVisible();
  await expect(first.page.getByText(/watching/)).toBeHidden();
  await tab.close();
});

test('an offer to play again and its answer show at once, in every tab', async ({ rivals }) => {
  const [first, second] = await atBoard(rivals);
  await first.plays(1, 1);
  await second.page.getByRole('button', { name: 'Forfeit and close' }).click();
  const played = first.page.url();
  await second.page.getByRole('dialog').getByRole('button', { name: 'Forfeit' }).click();
  await first.sees('You Won!');
  await second.page.goto(played);
  const tab = await first.page.context().newPage();
  await tab.goto(played);
  await expect(tab.getByRole('button', { name: 'Play Again' })).toBeVisible();

  await first.page.getByRole('button', { name: 'Play Again' }).click();
  await first.sees('Waiting for Opponent');
  await expect(tab.getByText(`${second.name} has not answered yet.`)).toBeVisible();
  await expect(second.page.getByText(`${first.name} wants to play again!`)).toBeVisible();
  await second.page.getByRole('button', { name: 'Decline' }).click();
  await expect(tab.getByText(`${second.name} does not want to play again.`)).toBeVisible();

  await second.page.getByRole('button', { name: 'Play Again' }).click();
  await expect(tab.getByText(`${second.name} wants to play again!`)).toBeVisible();
  await tab.getByRole('button', { name: 'Accept' }).click();
  for (const page of [tab, second.page]) await expect(page.getByRole('grid')).toBeVisible();
  await tab.close();
});

test('visitors are asked in, and watch as a guest', async ({ page }) => {
  await page.goto('/app/watch');
  await expect(page.getByRole('heading', { name: 'Sign in to watch' })).toBeVisible();
  await page.getByRole('button', { name: 'Watch as a guest' }).click();
  // The game of another test may be listed.
  await expect(page.getByRole('link', { name: /^(Find an opponent|Watch .*)$/ }).first()).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Sign in to watch' })).toBeHidden();
});
