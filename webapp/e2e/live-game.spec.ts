import { expect, playInTurn, test } from './fixtures';

test('two people play 3×3 to a win, and again with the starter changed', async ({ two }) => {
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
  await bob.page.getByRole('button', { name: 'Play Again' }).click();
  await bob.plays(2, 2);
  await expect(ada.cell(2, 2)).toHaveAccessibleName(/, O$/);
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
  await playInTurn(
    [ada, bob],
    [
      [1, 1],
      [1, 2],
      [1, 3],
      [2, 2],
      [2, 1],
      [2, 3],
      [3, 2],
      [3, 1],
      [3, 3],
    ],
  );
  await ada.sees("It's a Draw!");
  await bob.sees("It's a Draw!");
});

test('a forfeit asks first, and then tells both', async ({ two }) => {
  const [ada, bob] = two;
  await ada.invite(bob);
  await bob.accept(ada);
  await ada.plays(2, 2);
  await bob.page.getByRole('button', { name: 'Forfeit and close' }).click();
  const dialog = bob.page.getByRole('dialog', { name: 'Confirm Forfeit' });
  await expect(dialog).toContainText('Are you sure you want to forfeit this game? This action cannot be undone.');
  await dialog.getByRole('button', { name: 'Forfeit' }).click();
  await expect(bob.page).toHaveURL(/\/app\/practice$/);
  await expect(ada.page.getByText('Opponent forfeited. You win!', { exact: true })).toBeVisible();
});

test('an invitation can be withdrawn', async ({ two }) => {
  const [ada, bob] = two;
  await ada.invite(bob);
  await expect(bob.page.getByText(`${ada.name} invites you to a game`)).toBeVisible();
  await expect(bob.page.getByRole('link', { name: `Open the game with ${ada.name}` })).toBeVisible();
  await ada.page.getByRole('button', { name: 'Cancel Invitation' }).click();
  await expect(ada.page.getByRole('dialog', { name: 'Game Cancelled' })).toBeVisible();
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

test('a game goes on where it was after the server was killed', async ({ two, appliance }) => {
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

test('whoever opens an invite link first takes the seat', async ({ two }) => {
  const [ada, bob] = two;
  await ada.page.goto('/app/practice/remote');
  await ada.page.getByRole('button', { name: 'Create an invite link' }).click();
  const link = await ada.page.getByLabel('Invite link').inputValue();
  await bob.page.goto(link);
  await ada.plays(1, 1);
  await bob.plays(2, 2);
  await expect(ada.cell(2, 2)).toHaveAccessibleName(/, O$/);
});

test('the board is played by keyboard', async ({ two }) => {
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
