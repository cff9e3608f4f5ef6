import { expect, type Person, test } from './fixtures';

async function find({ page }: Person, choices: string[]) {
  await page.goto('/app/play');
  for (const choice of choices) await page.getByRole('radio', { name: choice }).check({ force: true });
  await page.getByRole('button', { name: 'Find an opponent' }).click();
}

test('two strangers press Play and sit at a board', async ({ two }) => {
  const [ada, bob] = two;
  await find(ada, ['3×3', 'Casual']);
  await ada.sees('Looking for an opponent');
  await expect(ada.page.getByText('Nobody else is waiting, 0 play.')).toBeVisible();
  await find(bob, ['Any board', 'Casual']);
  for (const { page } of two) await expect(page.getByRole('grid')).toBeVisible();

  const [first, second] = (await ada.page.getByRole('heading', { name: 'Your turn' }).isVisible())
    ? [ada, bob]
    : [bob, ada];
  await first.plays(1, 1);
  await second.plays(2, 2);
  await first.page.getByRole('button', { name: 'Forfeit and close' }).click();
  await first.page.getByRole('dialog').getByRole('button', { name: 'Forfeit' }).click();
  await second.sees('You Won!');
  await first.sees('Quick match');
  await second.page.getByRole('link', { name: 'Another opponent' }).click();
  await second.sees('Quick match');
});

test('a search goes on while other pages are visited, and a rated game of one network is casual', async ({ two }) => {
  const [ada, bob] = two;
  await find(ada, ['4×4', '1 min + 2 s', 'Rated']);
  await ada.sees('Looking for an opponent');
  await ada.page.getByRole('link', { name: 'Practice' }).first().click();
  await ada.sees('Practice');
  await expect(ada.page.getByRole('link', { name: /Looking for an opponent/ })).toBeVisible();
  await find(bob, ['4×4', '1 min + 2 s', 'Rated']);
  await expect(
    bob.page.getByText('You and your opponent share a network address, so this game is casual.'),
  ).toBeVisible();
  for (const { page } of two) {
    await expect(page.getByRole('grid')).toBeVisible();
    // A clock for each of the players.
    await expect(page.getByRole('timer', { name: /seconds left in the game/ })).toHaveCount(2);
  }
});

test('a search can be stopped, from its page and from others', async ({ ada }) => {
  await find(ada, ['Casual']);
  await ada.page.getByRole('button', { name: 'Cancel' }).click();
  await expect(ada.page.getByRole('radio', { name: 'Casual' })).toBeChecked();
  await ada.page.getByRole('button', { name: 'Find an opponent' }).click();
  await ada.sees('Looking for an opponent');
  await ada.page.getByRole('link', { name: 'Back to Home' }).click();
  await ada.page.getByRole('button', { name: 'Stop' }).click();
  await expect(ada.page.getByRole('link', { name: /Looking for an opponent/ })).toBeHidden();
});
