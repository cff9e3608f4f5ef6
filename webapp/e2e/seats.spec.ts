import { attachScreenshot } from './eventPlay';
import { expect, test } from './fixtures';
import { Network } from './network';
import { expectWholeSeats } from './seats';

for (const clock of ['15 s a turn', '1 min + 2 s']) {
  test(`no state of a seat is cut off, ${clock}`, async ({ two: [ada, bob] }, info) => {
    test.setTimeout(120_000);
    const network = await Network.of(ada.page);
    await ada.invite(bob, 3, clock);
    await bob.accept(ada);
    const [seatOfAda, seatOfBob] = ['self', 'opponent'].map((viewer) => `[data-viewer=${viewer}]`);
    if (seatOfAda === undefined || seatOfBob === undefined) throw new Error('there are two seats');

    await ada.plays(1, 1);
    await bob.plays(2, 1);
    await expectWholeSeats(ada.page, (name) => attachScreenshot(info, ada, `on move ${name}`));

    await network.disconnect();
    await expect(ada.page.locator(seatOfAda)).toContainText('Reconnecting…');
    await expect(bob.page.locator(seatOfBob)).toContainText('Away');
    // At once: a turn has 15 seconds.
    await Promise.all([
      expectWholeSeats(ada.page, (name) => attachScreenshot(info, ada, `reconnecting ${name}`)),
      expectWholeSeats(bob.page, (name) => attachScreenshot(info, bob, `away ${name}`)),
    ]);
  });
}
