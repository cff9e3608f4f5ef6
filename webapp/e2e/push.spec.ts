import type { Browser, CDPSession, Page } from '@playwright/test';
import { Appliance } from './appliance';
import { expect, newPerson, Person, test as base } from './fixtures';
import { type FakeSubscription, PushService } from './pushService';

/*
 * Real here: the server with its encryption and signature, the page, the service worker in Chromium and the notification that
 * it shows. Not real: the push service, and the way from there to the browser, for which Chromium needs one of the real
 * world. `PushManager.subscribe` answers with the stand-in's address, and what the stand-in decrypted is delivered to the
 * worker by the browser's own `ServiceWorker.deliverPushMessage`.
 */
const test = base.extend<{ service: PushService; two: [Person, Person] }, { appliance: Appliance }>({
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
  /** The second is told of everything in their browser. */
  two: async ({ browser, appliance, service }, use) => {
    const first = await newPerson(browser, { baseURL: appliance.url });
    await use([first, await newTold(browser, appliance, service)]);
  },
});

/** The headless shell has no notifications. */
const CHROMIUM = '/usr/bin/chromium';

test.use({ launchOptions: { executablePath: CHROMIUM, args: ['--headless=new', '--no-sandbox', '--disable-gpu'] } });

/** What the page's own push client is replaced by: it has no subscription yet, and this one next. */
function pushesTo({ endpoint, keys }: FakeSubscription): void {
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
}

/** Somebody who is told of everything in their browser, with the page of the settings open. */
async function newTold(browser: Browser, { url }: Appliance, service: PushService): Promise<Person> {
  const told = await newPerson(browser, { baseURL: url, permissions: ['notifications'] });
  const { page } = told;
  await page.addInitScript(pushesTo, service.subscription());
  await page.goto('/app/setting/notifications');
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  const device = page.getByRole('switch', { name: 'Notifications on this device' });
  await expect(device).toBeEnabled();
  await device.click({ force: true });
  await expect(page.getByRole('button', { name: 'Send a test notification' })).toBeVisible();
  return told;
}

/** Invites somebody until a push comes: a connection that is not closed with its page ends 30 s after its last sign of life. */
async function inviteByPush(ada: Person, bob: Person, service: PushService): Promise<string> {
  test.slow();
  await expect(async () => {
    await ada.invite(bob, 4);
    await service.payload(0);
  }).toPass({ timeout: 90_000 });
  return service.payload(0);
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

async function look({ page }: Person): Promise<void> {
  await page.goto('/app/play');
  for (const name of ['3×3', 'Casual']) await page.getByRole('radio', { name }).check({ force: true });
  await page.getByRole('button', { name: 'Find an opponent' }).click();
}

test('a player with the page closed gets a push when challenged', async ({ appliance, service, two: [ada, bob] }) => {
  const context = bob.page.context();

  // No page of the site is left, only an empty one to speak with the browser.
  const empty = await context.newPage();
  const deliver = await deliverer(empty, appliance.url);
  await bob.page.close();
  const payload = await inviteByPush(ada, bob, service);
  expect(JSON.parse(payload)).toMatchObject({ title: `${ada.name} invites you`, body: 'A game on 4×4.' });

  await deliver(payload);
  // The browser stops an idle worker, and starts another for a push.
  const shown = () =>
    context
      .serviceWorkers()
      .at(-1)
      ?.evaluate(async () => {
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

test('a browser that changes its subscription is pushed to at its new address only', async ({
  service,
  two: [ada, bob],
}) => {
  const { page } = bob;
  // As in the first page ever opened: a new worker does not control it.
  await page.evaluate(async () => {
    const known = await navigator.serviceWorker.getRegistration();
    await known?.unregister();
  });
  const tells = (path: string) =>
    page.waitForResponse((response) => response.request().postData()?.includes(path) ?? false);
  // The page confirms by itself some seconds after its start; what comes later is because of the worker.
  const isConfirmed = tells('/push/1');
  await page.reload();
  await isConfirmed;
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  expect(await page.evaluate(() => navigator.serviceWorker.controller === null)).toBe(true);

  const isTold = tells('/push/2');
  await page.evaluate(pushesTo, service.subscription(2));
  const worker = page.context().serviceWorkers().at(-1);
  await worker?.evaluate(() => {
    // Only the browser's own event can be extended.
    const event = Object.assign(new Event('pushsubscriptionchange'), { waitUntil: () => undefined });
    self.dispatchEvent(event);
  });
  expect((await isTold).ok()).toBe(true);

  await page.close();
  await inviteByPush(ada, bob, service);
  expect([service.count(1), service.count(2)]).toEqual([0, 1]);
});

test('who is found in quick match is told by the hidden page, and not pushed to', async ({
  service,
  two: [ada, bob],
}) => {
  const { page } = bob;
  await page.evaluate(() => localStorage.setItem('morpion_alerts', JSON.stringify({ system: true })));
  await look(bob);
  await bob.sees('Looking for an opponent');
  await page.evaluate(() => {
    const told: string[] = [];
    const Shown = window.Notification;
    window.Notification = class extends Shown {
      constructor(title: string, options?: NotificationOptions) {
        super(title, options);
        told.push(`${title} ${this.body}`);
      }
    };
    Object.assign(window, { told });
    Object.defineProperty(document, 'visibilityState', { value: 'hidden' });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await look(ada);
  const told = () => page.evaluate(() => (window as unknown as { told: string[] }).told);
  await expect.poll(told).toEqual([`You play ${ada.name}! Your game is about to begin.`]);
  await expect(page).toHaveURL(/\/app\/game\//);
  expect(service.count()).toBe(0);
});

test('who closes the page is not paired in quick match, so there is nothing to push', async ({
  service,
  two: [ada, bob],
}) => {
  const context = bob.page.context();
  await look(bob);
  await bob.sees('Looking for an opponent');
  await bob.page.close();
  // The end of the connection takes a moment.
  await ada.page.waitForTimeout(1_000);
  await look(ada);
  await ada.sees('Looking for an opponent');
  // Several rounds of pairing.
  await ada.page.waitForTimeout(3_000);
  await ada.sees('Looking for an opponent');
  expect(service.count()).toBe(0);
  const back = new Person(await context.newPage(), bob.name);
  await look(back);
  for (const { page } of [ada, back]) await expect(page.getByRole('grid')).toBeVisible();
});
