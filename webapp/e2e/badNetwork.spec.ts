import { attachScreenshot } from './eventPlay';
import { expect, test } from './fixtures';
import { Network } from './network';
import { PHONE } from './pageChecks';

/** A page says within this time that a move has not arrived. */
const SAID_MS = 2_000;

test.describe.configure({ mode: 'parallel' });

for (const seconds of [5, 12]) {
  test(`a move whose packets are held for ${seconds} s is not lost, nor is the game`, async ({ two }, info) => {
    const [ada, bob] = two;
    await ada.page.setViewportSize(PHONE);
    const network = await Network.of(ada.page);
    await ada.invite(bob, 3, '15 s a turn');
    await bob.accept(ada);
    await ada.plays(1, 1);
    await bob.plays(2, 1);
    await ada.sees('Your turn');

    network.hold();
    await ada.cell(1, 2).click();
    const playedAt = Date.now();
    await expect(ada.page.getByRole('heading', { name: 'Sending…' })).toBeVisible({ timeout: SAID_MS });
    await expect(ada.cell(1, 2)).toHaveAccessibleName(/, X, sending$/);
    await attachScreenshot(info, ada, 'sending');
    // The clock that runs is one's own.
    await expect(ada.page.locator('[data-viewer=self]').getByRole('timer')).toBeVisible();
    await expect(bob.page.getByRole('heading', { name: `${ada.name}'s turn` })).toBeVisible();
    await ada.page.waitForTimeout(Math.max(0, playedAt + seconds * 1_000 - 500 - Date.now()));
    await attachScreenshot(info, ada, 'connecting again');
    network.release();

    await expect(bob.cell(1, 2)).toHaveAccessibleName(/, X$/, { timeout: 6_000 });
    await expect(ada.cell(1, 2)).toHaveAccessibleName(/, X$/);
    await bob.plays(2, 2);
    await ada.plays(1, 3);
    await ada.sees('You Won!');
    const moves = bob.page.getByRole('region', { name: 'Moves' }).getByRole('listitem');
    await expect(moves).toHaveCount(5);
  });
}
