import { expect, type Person, test } from './fixtures';
import { takeMoment } from './moments';
import { Network, saysSending } from './network';
import { PHONE } from './pageChecks';

test.describe.configure({ mode: 'parallel' });

/** A game on Ada's phone, whose first move is on the board, and her network. */
async function playOnPhone(ada: Person, bob: Person, clock?: string): Promise<Network> {
  await ada.page.setViewportSize(PHONE);
  const network = await Network.of(ada.page);
  await ada.invite(bob, 3, clock);
  await bob.accept(ada);
  await ada.plays(1, 1);
  return network;
}

/** `make evening` takes the time for more (evening.spec.ts). */
const isEvening = Number(process.env.MORPION_EVENING_MINUTES ?? '0') > 0;

const HOLDS: [seconds: number, clock: string][] = [
  [5, '15 s a turn'],
  [12, '15 s a turn'],
  ...(isEvening ? ([[30, '1 min + 2 s']] as [number, string][]) : []),
];

for (const [seconds, clock] of HOLDS) {
  test(`a move whose packets are held for ${seconds} s is not lost, nor is the game`, async ({ two }, info) => {
    const [ada, bob] = two;
    const network = await playOnPhone(ada, bob, clock);
    await bob.plays(2, 1);
    await ada.sees('Your turn');

    const heldAt = Date.now();
    network.hold();
    await ada.cell(1, 2).click();
    expect(await saysSending(ada.page), 'the page says that the move is on its way').toBe(true);
    await expect(ada.cell(1, 2)).toHaveAccessibleName(/, X, sending$/);
    await takeMoment(info, ada.page, `held for ${seconds} s, sending`);
    // The clock that runs is one's own.
    await expect(ada.page.locator('[data-viewer=self]').getByRole('timer')).toBeVisible();
    await expect(bob.page.getByRole('heading', { name: `${ada.name}'s turn` })).toBeVisible();
    // There is time for more pictures.
    if (seconds > 10) {
      await ada.page.waitForTimeout(Math.max(0, heldAt + 6_000 - Date.now()));
      await Promise.all([
        takeMoment(info, ada.page, `held for ${seconds} s, connecting again`),
        takeMoment(info, bob.page, `held for ${seconds} s, as the opponent sees it`),
      ]);
    }
    await ada.page.waitForTimeout(Math.max(0, heldAt + seconds * 1_000 - Date.now()));
    network.release();

    await expect(bob.cell(1, 2)).toHaveAccessibleName(/, X$/, { timeout: 6_000 });
    await expect(ada.cell(1, 2)).toHaveAccessibleName(/, X$/);
    await bob.plays(2, 2);
    await ada.plays(1, 3);
    await ada.sees('You Won!');
    await takeMoment(info, ada.page, `held for ${seconds} s, won in the end`);
    const moves = bob.page.getByRole('region', { name: 'Moves' }).getByRole('listitem');
    await expect(moves).toHaveCount(5);
  });
}

test('a move after a change of address arrives over a new connection', async ({ two: [ada, bob] }, info) => {
  const network = await playOnPhone(ada, bob, '15 s a turn');
  await bob.plays(2, 1);
  await ada.sees('Your turn');

  network.changeAddress();
  await ada.cell(1, 2).click();
  expect(await saysSending(ada.page), 'the page says that the move is on its way').toBe(true);
  await takeMoment(info, ada.page, 'another address, sending');
  await expect(bob.cell(1, 2)).toHaveAccessibleName(/, X$/, { timeout: 10_000 });
  await expect(ada.cell(1, 2)).toHaveAccessibleName(/, X$/);
  await bob.plays(2, 2);
  await takeMoment(info, ada.page, 'another address, arrived');
  await ada.plays(1, 3);
  await ada.sees('You Won!');
});

test('a phone that slept for a minute shows the game as it is', async ({ two: [ada, bob] }, info) => {
  test.skip(!isEvening, 'make evening sleeps for a minute');
  test.setTimeout(150_000);
  const network = await playOnPhone(ada, bob);
  const screen = await ada.page.context().newCDPSession(ada.page);
  network.changeAddress();
  await screen.send('Page.setWebLifecycleState', { state: 'frozen' });
  await bob.plays(2, 1);
  await takeMoment(info, bob.page, 'asleep, as the opponent sees it');
  await bob.page.waitForTimeout(60_000);
  await takeMoment(info, bob.page, 'asleep for a minute, as the opponent sees it');
  await screen.send('Page.setWebLifecycleState', { state: 'active' });
  await expect(ada.cell(2, 1)).toHaveAccessibleName(/, O$/, { timeout: 12_000 });
  await takeMoment(info, ada.page, 'awake');
  await ada.plays(1, 2);
  await bob.plays(2, 2);
  await ada.plays(1, 3);
  await ada.sees('You Won!');
});
