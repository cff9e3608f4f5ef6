import { expect, newPerson, type Person, playOut, test } from './fixtures';
import { expectAccessibleEverywhere } from './pageChecks';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

/** From Home, by a finished game, to the page of its other player. */
async function visit({ page }: Person, other: Person): Promise<void> {
  await page.goto('/app/home');
  const games = page.getByRole('region', { name: 'Recent Games' });
  await games.getByRole('link', { name: other.name, exact: true }).click();
  await expect(page.getByRole('heading', { name: other.name, level: 1 })).toBeVisible();
}

async function challenge({ page }: Person, other: Person): Promise<void> {
  await page.getByRole('button', { name: 'Challenge', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: `Challenge ${other.name}` });
  await dialog.getByText('4×4', { exact: true }).click();
  await dialog.getByText('1 min + 2 s', { exact: true }).click();
  await dialog.getByRole('button', { name: 'Send the challenge' }).click();
  await expect(page.getByRole('heading', { name: 'Waiting for Opponent' })).toBeVisible();
}

test('from a finished game to the opponent’s page, a challenge that is declined, and one that is accepted', async ({
  two: [ada, bob],
}) => {
  await playOut(ada, bob);
  await bob.page.goto('/app/home');
  await bob.sees(`Welcome, ${bob.name}!`);
  await visit(ada, bob);
  await expect(ada.page.getByRole('region', { name: 'You and them' })).toContainText('1 : 0');
  await expect(ada.page.getByRole('region', { name: 'Results' })).toContainText('0%of 1 game won');

  await test.step('declined, and told', async () => {
    await challenge(ada, bob);
    await expect(bob.page.getByText('4×4 board · 1 min + 2 s')).toBeVisible();
    await bob.page.getByRole('button', { name: 'Decline' }).first().click();
    await expect(ada.page.getByText(/declined/i).first()).toBeVisible();
  });

  await test.step('accepted: both sit at the board with the chosen clock', async () => {
    await visit(ada, bob);
    await challenge(ada, bob);
    await bob.accept(ada);
    for (const { page } of [ada, bob]) {
      await expect(page.getByRole('gridcell')).toHaveCount(16);
      await expect(page.getByRole('timer', { name: /seconds left in the game/ })).toHaveCount(2);
    }
    await ada.plays(1, 1);
    await bob.plays(2, 2);
  });
});

test('Home has the people played, a page its games with filters, and a former name leads to it', async ({
  two: [ada, bob],
}) => {
  const { page } = ada;
  await expect(page.getByRole('region', { name: 'Quick Play with Recent Friends' })).toContainText('Nobody here yet.');
  await playOut(ada, bob);
  await page.goto('/app/home');
  const card = page.getByRole('region', { name: 'Quick Play with Recent Friends' });
  await expect(card).toContainText('1 : 0 · you lead');
  await card.getByRole('link', { name: bob.name }).click();
  await expect(page).toHaveURL(new RegExp(`/app/players/${bob.name}$`));

  await test.step('a game with a friend is not for others', async () => {
    await expect(page.getByRole('region', { name: 'Last games' })).toContainText('No games yet.');
    await page.goto(`/app/players/${ada.name}`);
    await page.getByRole('region', { name: 'Last games' }).getByRole('link', { name: 'All games' }).click();
    await expect(page.getByRole('list', { name: 'Games' }).getByRole('listitem')).toHaveCount(1);
    await page.getByRole('combobox', { name: 'Result' }).selectOption('Lost');
    await expect(page.getByText('No games match these filters.')).toBeVisible();
    await expect(page).toHaveURL(/result=lost/);
    await page.getByRole('button', { name: 'All games' }).click();
    await page.getByLabel('Opponent’s username').fill(bob.name);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(new RegExp(`opponent=${bob.name}`));
    await expect(page.getByRole('list', { name: 'Games' }).getByRole('listitem')).toHaveCount(1);
    await page.getByRole('link', { name: /^Replay the game against/ }).click();
    await ada.sees('Replay');
  });

  await test.step('Bob takes another name and shows the page to nobody', async () => {
    await bob.page.goto('/app/setting/edit');
    await bob.page.getByRole('radio', { name: /^Nobody/ }).check({ force: true });
    await expect(bob.page.getByText('Only you can see your page.')).toBeVisible();
    const renamed = `${bob.name.slice(0, 12)}_x`;
    const username = bob.page.getByRole('textbox', { name: 'Username' });
    await username.fill(renamed);
    await username.press('Enter');
    await expect(bob.page.getByText(renamed).first()).toBeVisible();
    await page.goto(`/app/players/${bob.name}`);
    await expect(page).toHaveURL(new RegExp(`/app/players/${renamed}$`));
    await expect(page.getByText(/keeps their results and games private/)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Challenge', exact: true })).toBeVisible();
  });
});

test('wide names do not widen the pages', async ({ browser, baseURL }) => {
  const options = baseURL === undefined ? {} : { baseURL };
  const wide = () => newPerson(browser, options, (person) => person.register(), 'mmwwmm');
  const [ada, bob] = await Promise.all([wide(), wide()]);
  await playOut(ada, bob);
  const { page } = ada;
  const game = new URL(page.url()).pathname;
  for (const path of [game, `${game}/replay`, `/app/players/${bob.name}`, '/app/home']) {
    await page.goto(path);
    await expect(page.getByText(bob.name).first()).toBeVisible();
    await expectAccessibleEverywhere(page);
  }
  await Promise.all([ada, bob].map((person) => person.page.context().close()));
});
