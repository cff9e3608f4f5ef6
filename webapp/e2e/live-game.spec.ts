import type { Page } from '@playwright/test';
import { DRAW_MOVES } from './eventPlay';
import { expect, type Person, playInTurn, test } from './fixtures';

async function forfeit(page: Page) {
  await page.getByRole('button', { name: 'Forfeit and close' }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm Forfeit' });
  await expect(dialog).toContainText('Are you sure you want to forfeit this game? This action cannot be undone.');
  await dialog.getByRole('button', { name: 'Forfeit' }).click();
}

test('two people play 3×3 to a win, and again with the other player starting', async ({ two }) => {
  const [ada, bob] = two;
  await ada.invite(bob);
  await bob.accept(ada);
  await playInTurn(
    [ada, bob],
    [
      [1, 1],
      [2, 1],
      [1, 2],
      [2, 2],
      [1, 3],
    ],
  );
  await ada.sees('You Won!');
  await bob.sees(`${ada.name} Won!`);
  await expect(ada.page.getByText('Congratulations!', { exact: true })).toBeVisible();
  await expect(bob.page.getByText('Better luck next time!', { exact: true })).toBeVisible();

  await ada.page.getByRole('button', { name: 'Play Again' }).click();
  await ada.sees('Waiting for Opponent');
  await expect(bob.page.getByText(`${ada.name} wants to play again!`)).toBeVisible();
  await bob.page.getByRole('button', { name: 'Accept' }).click();
  await bob.plays(2, 2);
  await expect(ada.cell(2, 2)).toHaveAccessibleName(/, O$/);
});

test('an offer to play again disappears when it is withdrawn or declined, and the next one is a new game', async ({
  two,
}) => {
  const [ada, bob] = two;
  const playAgain = ({ page }: Person) => page.getByRole('button', { name: /^(Play Again|Accept)$/ });
  const cancelled = ({ page }: Person) => page.getByRole('dialog', { name: 'Game Cancelled' });
  const wish = `${ada.name} wants to play again!`;
  await ada.invite(bob);
  await bob.accept(ada);
  await ada.plays(2, 2);
  const played = ada.page.url();
  await forfeit(bob.page);
  await ada.sees('You Won!');
  await bob.page.goto(played);
  await bob.sees(`${ada.name} Won!`);

  await playAgain(ada).click();
  await ada.sees('Waiting for Opponent');
  const withdrawn = ada.page.url();
  expect(withdrawn).not.toBe(played);
  await expect(bob.page.getByText(wish)).toBeVisible();
  await ada.page.getByRole('button', { name: 'Cancel Invitation' }).click();
  await expect(cancelled(ada)).toContainText('You cancelled the invitation.');
  await expect(bob.page.getByText(wish)).toBeHidden();

  // Back at the game, in both browsers: nothing links to the cancelled one.
  await ada.page.goto(played);
  await playAgain(ada).click();
  await ada.sees('Waiting for Opponent');
  const declined = ada.page.url();
  expect([played, withdrawn]).not.toContain(declined);
  await bob.page.reload();
  await expect(bob.page.getByText(wish)).toBeVisible();
  await bob.page.getByRole('button', { name: 'Decline' }).click();
  await expect(cancelled(ada)).toContainText(`${bob.name} declined the invitation.`);
  await expect(bob.page.getByText(wish)).toBeHidden();

  // Both press twice at the same time: one game is created, and the player who did not start the first one starts it.
  await ada.page.goto(played);
  const pressTwice = (button: HTMLElement | SVGElement) => {
    for (let times = 0; times < 2; times += 1) (button as HTMLElement).click();
  };
  await Promise.all([playAgain(ada).evaluate(pressTwice), playAgain(bob).evaluate(pressTwice)]);
  await expect.poll(() => ada.page.url()).not.toBe(played);
  await expect.poll(() => bob.page.url()).toBe(ada.page.url());
  expect([withdrawn, declined]).not.toContain(ada.page.url());
  await bob.plays(2, 2);
  await ada.sees('Your turn');
});

test('Home offers the possible actions for each game', async ({ two }) => {
  const [ada, bob] = two;
  const actions = (person: Person) => {
    const games = person.page.getByRole('region', { name: 'Active Games' });
    return games.getByRole('listitem').locator('a, button');
  };
  await ada.invite(bob);
  await expect(actions(bob)).toHaveText(['Accept', 'Decline']);
  await ada.page.goto('/app/home');
  await expect(actions(ada)).toHaveText(['Open', 'Cancel Invitation']);
  await bob.page.getByRole('region', { name: 'Active Games' }).getByRole('button', { name: 'Decline' }).click();
  await expect(ada.page.getByText(`${bob.name} declined the invitation.`)).toBeVisible();
  for (const { page } of two) await expect(page.getByText('No game under way.')).toBeVisible();

  await ada.invite(bob);
  await ada.page.goto('/app/home');
  await actions(ada).getByText('Cancel Invitation').click();
  for (const { page } of two) await expect(page.getByText('No game under way.')).toBeVisible();

  // With the keyboard: one key to reach the invitation, one to accept it.
  await ada.invite(bob);
  await expect(bob.page.getByText(`${ada.name} invites you to a game`)).toBeVisible();
  await bob.page.keyboard.press('F8');
  await bob.page.keyboard.press('Enter');
  await expect(bob.page.getByRole('grid')).toBeVisible();
  await ada.plays(1, 1);
  await bob.page.goto('/app/home');
  await expect(actions(bob)).toHaveText(['Open', 'Forfeit']);
  await actions(bob).getByText('Forfeit').click();
  const dialog = bob.page.getByRole('dialog', { name: 'Confirm Forfeit' });
  await dialog.getByRole('button', { name: 'Forfeit' }).click();
  await expect(bob.page.getByText('No game under way.')).toBeVisible();
  await expect(ada.page.getByText('Opponent forfeited. You win!', { exact: true })).toBeVisible();
});

test('two people play 6×6 to a win with four in a row', async ({ two }) => {
  const [ada, bob] = two;
  await ada.invite(bob, 6);
  await bob.accept(ada);
  await playInTurn(
    [ada, bob],
    [
      [1, 1],
      [6, 1],
      [2, 2],
      [6, 2],
      [3, 3],
      [6, 3],
      [4, 4],
    ],
  );
  await ada.sees('You Won!');
  await bob.sees(`${ada.name} Won!`);
});

test('a full board is a draw for both', async ({ two }) => {
  const [ada, bob] = two;
  await ada.invite(bob);
  await bob.accept(ada);
  await playInTurn([ada, bob], DRAW_MOVES);
  await ada.sees("It's a Draw!");
  await bob.sees("It's a Draw!");
});

test('a forfeit asks for confirmation, and both players see it', async ({ two }) => {
  const [ada, bob] = two;
  await ada.invite(bob);
  await bob.accept(ada);
  await ada.plays(2, 2);
  await forfeit(bob.page);
  await expect(bob.page).toHaveURL(/\/app\/practice$/);
  await expect(ada.page.getByText('Opponent forfeited. You win!', { exact: true })).toBeVisible();
});

test('an invitation can be withdrawn', async ({ two }) => {
  const [ada, bob] = two;
  await ada.invite(bob);
  await expect(bob.page.getByText(`${ada.name} invites you to a game`)).toBeVisible();
  await expect(bob.page.getByRole('link', { name: `Accept the invitation of ${ada.name}` })).toBeVisible();
  await ada.page.getByRole('button', { name: 'Cancel Invitation' }).click();
  await expect(ada.page.getByRole('dialog', { name: 'Game Cancelled' })).toContainText('You cancelled the invitation.');
  await expect(bob.page.getByText(`${ada.name} invites you to a game`)).toBeHidden();
  await expect(bob.page.getByText('No game under way.')).toBeVisible();
});

test('a reload in the middle of a game changes nothing', async ({ two }) => {
  const [ada, bob] = two;
  await ada.invite(bob);
  await bob.accept(ada);
  await ada.plays(2, 2);
  await bob.page.reload();
  await expect(bob.cell(2, 2)).toHaveAccessibleName(/, X$/);
  await bob.plays(1, 1);
  await expect(ada.cell(1, 1)).toHaveAccessibleName(/, O$/);
});

test('a game continues where it was after the server was killed', async ({ two, appliance }) => {
  const [ada, bob] = two;
  await ada.invite(bob, 4);
  await bob.accept(ada);
  await playInTurn(
    [ada, bob],
    [
      [1, 1],
      [4, 1],
      [1, 2],
    ],
  );
  await expect(bob.cell(1, 2)).toHaveAccessibleName(/, X$/);
  await appliance.kill();
  await expect(ada.page.getByText('Connecting to Game Server...')).toBeVisible();
  await appliance.run();
  await bob.plays(4, 2);
  await playInTurn(
    [ada, bob],
    [
      [1, 3],
      [4, 3],
      [1, 4],
    ],
  );
  await ada.sees('You Won!');
  await bob.sees(`${ada.name} Won!`);
});

test('the first visitor of an invite link takes the seat', async ({ two }) => {
  const [ada, bob] = two;
  await ada.page.goto('/app/practice/remote');
  await ada.page.getByRole('button', { name: 'Create an invite link' }).click();
  const link = await ada.page.getByLabel('Invite link').inputValue();
  await bob.page.goto(link);
  await ada.plays(1, 1);
  await bob.plays(2, 2);
  await expect(ada.cell(2, 2)).toHaveAccessibleName(/, O$/);
});

test('the board can be played by keyboard', async ({ two }) => {
  const [ada, bob] = two;
  await ada.invite(bob);
  await bob.accept(ada);
  await ada.sees('Your turn');
  await ada.cell(1, 1).focus();
  await ada.page.keyboard.press('ArrowRight');
  await ada.page.keyboard.press('ArrowDown');
  await ada.page.keyboard.press('Enter');
  await expect(bob.cell(2, 2)).toHaveAccessibleName(/, X$/);
});
