import { existsSync } from 'node:fs';
import type { CDPSession, Page } from '@playwright/test';
import { Appliance } from './appliance';
import { expect, newPerson, test as base } from './fixtures';
import { type FakeSubscription, PushService } from './pushService';

/*
 * Real here: the server with its encryption and signature, the page, the service worker in Chromium and the notification that
 * it shows. Not real: the push service, and the way from there to the browser, for which Chromium needs one of the real
 * world. `PushManager.subscribe` answers with the stand-in's address, and what the stand-in decrypted is delivered to the
 * worker by the browser's own `ServiceWorker.deliverPushMessage`.
 */
const test = base.extend<{ service: PushService }, { appliance: Appliance }>({
  appliance: [
    // eslint-disable-next-line no-empty-pattern -- playwright wants the pattern
    async ({}, use) => {
      const appliance = await Appliance.start({ MORPION_PUSH__ALLOW_PRIVATE_ADDRESSES: 'true' });
      await use(appliance);
      await appliance.remove();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  // eslint-disable-next-line no-empty-pattern -- playwright wants the pattern
  service: async ({}, use) => {
    const service = await PushService.open();
    await use(service);
    expect(service.faults).toEqual([]);
    await service.close();
  },
});

/** The headless shell has no notifications. */
const CHROMIUM = '/usr/bin/chromium';

test.skip(!existsSync(CHROMIUM), 'needs the whole Chromium');
test.use({ launchOptions: { executablePath: CHROMIUM, args: ['--headless=new', '--no-sandbox', '--disable-gpu'] } });

async function subscribesAt(page: Page, subscription: FakeSubscription): Promise<void> {
  await page.addInitScript(({ endpoint, keys }) => {
    let current: PushSubscription | null = null;
    PushManager.prototype.subscribe = (options) => {
      const applicationServerKey = (options?.applicationServerKey as Uint8Array<ArrayBuffer>).buffer;
      const made = {
        endpoint,
        options: { applicationServerKey, userVisibleOnly: true },
        toJSON: () => ({ endpoint, keys }),
        unsubscribe: () => {
          current = null;
          return Promise.resolve(true);
        },
      };
      current = made as unknown as PushSubscription;
      return Promise.resolve(current);
    };
    PushManager.prototype.getSubscription = () => Promise.resolve(current);
  }, subscription);
}

/** Delivers pushes to the service worker of a site, as the browser's own push client would. */
async function deliverer(page: Page, origin: string): Promise<(data: string) => Promise<unknown>> {
  const session: CDPSession = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const found = registrations.find(({ scopeURL, isDeleted }) => scopeURL === `${origin}/` && !isDeleted);
      if (found !== undefined) resolve(found.registrationId);
    });
  });
  await session.send('ServiceWorker.enable');
  const registrationId = await registered;
  return (data) => session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data });
}

test('a player with the page closed gets a push when challenged', async ({ browser, appliance, service }) => {
  const options = { baseURL: appliance.url };
  const ada = await newPerson(browser, options);
  const bob = await newPerson(browser, { ...options, permissions: ['notifications'] });
  const context = bob.page.context();
  await subscribesAt(bob.page, service.subscription);
  await bob.page.goto('/app/setting/notifications');
  await bob.page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  const device = bob.page.getByRole('switch', { name: 'Notifications on this device' });
  await expect(device).toBeEnabled();
  await device.click({ force: true });
  await expect(bob.page.getByRole('button', { name: 'Show me one' })).toBeVisible();

  // No page of the site is left, only an empty one to speak with the browser.
  const empty = await context.newPage();
  const deliver = await deliverer(empty, appliance.url);
  await bob.page.close();
  await expect(async () => {
    await ada.invite(bob, 4);
    await service.payload(0);
  }).toPass();
  const payload = await service.payload(0);
  expect(JSON.parse(payload)).toMatchObject({ title: `${ada.name} invites you`, body: 'A game on 4×4.' });

  await deliver(payload);
  const [worker] = context.serviceWorkers();
  const shown = () =>
    worker?.evaluate(async () => {
      const { registration } = self as unknown as { registration: ServiceWorkerRegistration };
      const notifications = await registration.getNotifications();
      return notifications.map(({ title, body, data }) => ({ title, body, to: (data as { to: string }).to }));
    });
  await expect.poll(shown).toEqual([
    {
      title: `${ada.name} invites you`,
      body: 'A game on 4×4.',
      to: expect.stringMatching(/^\/app\/game\/[\da-f-]+$/),
    },
  ]);

  // What is none of the server's is not shown.
  for (const hostile of ['', 'nonsense', '{"title":"x","tag":"x","to":"https://example.org/"}']) await deliver(hostile);
  await deliver(JSON.stringify({ ...(JSON.parse(payload) as object), title: 'Your turn', body: '' }));
  await expect.poll(shown).toMatchObject([{ title: 'Your turn' }]);
});
