import type { Browser, Page } from '@playwright/test';
import { Appliance } from './appliance';
import { createLiveEvent } from './eventPlay';
import { expect, newPerson, type Person, test as base } from './fixtures';
import { expectAccessibleEverywhere } from './pageChecks';
import { Shop } from './stripe';

interface Fixtures {
  /** A new account with its own browser. */
  buyer: Person;
}

/** A separate server that takes payments, with so few free events that a test reaches the limit. */
const test = base.extend<Fixtures, { shop: Shop }>({
  shop: [
    // eslint-disable-next-line no-empty-pattern -- playwright wants the pattern
    async ({}, use) => {
      const shop = await Shop.open({ MORPION_PLANS__FREE_EVENTS_PER_MONTH: '1' });
      await use(shop);
      await shop.close();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  buyer: async ({ browser, shop }, use) => {
    const buyer = await newPerson(browser, { baseURL: shop.appliance.url, reducedMotion: 'reduce' });
    await use(buyer);
    expect(buyer.errors.filter((text) => !REFUSED.test(text))).toEqual([]);
    await buyer.page.context().close();
  },
});

test.use({ actionTimeout: 20_000 });
test.describe.configure({ timeout: 120_000 });

/** What the browser logs for a declined card, a missing card, or an event that needs Pro. */
const REFUSED = /status of 40[29]/;

const PAYS = '4242 4242 4242 4242';
const DECLINED = '4000 0000 0000 0002';
const ASKS = '4000 0025 0000 3155';
const ALWAYS_ASKS = '4000 0027 6000 3184';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const mailOf = ({ name }: Person) => `${name}@example.org`;

/** Goes from Home through the first two steps to the card form. */
async function toTheCard({ page }: Person, plan: string): Promise<void> {
  await page.goto('/app/home');
  await page.getByRole('link', { name: 'Upgrade to Pro' }).click();
  await expect(page.getByRole('heading', { name: 'Become a Member' })).toBeVisible();
  await button(page, 'Next').click();
  await expect(page.getByRole('heading', { name: 'Select a Plan' })).toBeVisible();
  await button(page, `Select ${plan}`).click();
  await expect(page.getByRole('heading', { name: 'Almost There' })).toBeVisible();
}

async function payWith({ page }: Person, card: string): Promise<void> {
  await button(page, card).click();
  await button(page, 'SUBSCRIBE').click();
}

/** Expects the pages after a successful payment. */
async function isHomeAsPro({ page }: Person): Promise<void> {
  await expect(button(page, 'Subscription Complete')).toBeVisible();
  await expect(page).toHaveURL(/\/app\/home$/);
  await expect(page.getByRole('banner').getByText('Pro', { exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Upgrade to Pro' })).toBeHidden();
}

async function buy(buyer: Person, plan: string): Promise<void> {
  await toTheCard(buyer, plan);
  await payWith(buyer, PAYS);
  await expect(buyer.page.getByRole('heading', { name: `Welcome back ${buyer.name}` })).toBeVisible();
  await isHomeAsPro(buyer);
}

/** A new admin, whose page already shows the admins' navigation. */
async function newAdmin(browser: Browser, { appliance }: Shop): Promise<Person> {
  const admin = await newPerson(browser, { baseURL: appliance.url, reducedMotion: 'reduce' });
  await admin.promote(appliance);
  return admin;
}

for (const [plan, price] of [
  ['Monthly', 399],
  ['Yearly', 3500],
] as const) {
  test(`somebody buys ${plan}, and is charged once`, async ({ shop, buyer }) => {
    await buy(buyer, plan);
    expect(await shop.chargesOf(mailOf(buyer))).toEqual([price]);
    const { page } = buyer;
    await page.goto('/app/setting/subscription');
    await expect(page.getByText('Pro member')).toBeVisible();
    await expect(page.getByText(`/${plan}`, { exact: true })).toBeVisible();
    await expect(page.getByText(/^Your plan renews on /)).toBeVisible();
    await expect(page.getByText('Visa •••• 4242')).toBeVisible();
    await expect(page.getByRole('list', { name: 'Invoices' }).getByRole('listitem')).toHaveCount(1);
  });
}

test('a card is declined, another fails 3-D Secure and then passes it', async ({ shop, buyer }) => {
  const { page } = buyer;
  await toTheCard(buyer, 'Yearly');
  await payWith(buyer, DECLINED);
  await expect(page.getByText('Your card was declined.')).toBeVisible();
  await payWith(buyer, ASKS);
  await button(page, 'Fail').click();
  await expect(page.getByText(/^We are unable to authenticate your payment method\./)).toBeVisible();
  expect(await shop.chargesOf(mailOf(buyer))).toEqual([]);
  await button(page, 'SUBSCRIBE').click();
  await button(page, 'Complete authentication').click();
  await isHomeAsPro(buyer);
  expect(await shop.chargesOf(mailOf(buyer))).toEqual([3500]);
});

test('a plan is cancelled, resumed and changed', async ({ shop, buyer }) => {
  const { page } = buyer;
  await buy(buyer, 'Monthly');
  await page.goto('/app/setting/subscription');
  await button(page, 'Cancel Plan').click();
  const question = page.getByRole('dialog', { name: 'Cancel Plan' });
  const reloaded = page.waitForEvent('load');
  await question.getByRole('button', { name: 'Cancel Plan' }).click();
  await reloaded;
  await expect(page.getByText(/^Your plan is cancelled: Pro lasts until /)).toBeVisible();
  await button(page, 'Resume Plan').click();
  await expect(page.getByText('Your plan continues.')).toBeVisible();
  await expect(page.getByText(/^Your plan renews on /)).toBeVisible();
  await button(page, 'Change to Yearly').click();
  await page.getByRole('dialog', { name: 'Change to Yearly' }).getByRole('button', { name: 'Change Plan' }).click();
  await expect(page.getByText('Your plan is Yearly now.')).toBeVisible();
  await expect(page.getByText('/Yearly', { exact: true })).toBeVisible();
  const [first, second, ...more] = await shop.chargesOf(mailOf(buyer));
  expect(first).toBe(399);
  // The month has just begun, so nearly all of its price is credited.
  expect(second).toBeGreaterThanOrEqual(3500 - 399);
  expect(second).toBeLessThan(3500 - 390);
  expect(more).toEqual([]);
});

test('payment methods are added, made the default, replaced and removed', async ({ buyer }) => {
  const { page } = buyer;
  await buy(buyer, 'Monthly');
  await page.goto('/app/setting/subscription');
  const methods = page.getByRole('list', { name: 'Payment methods' });
  await button(page, 'Remove Visa •••• 4242').click();
  const question = page.getByRole('dialog', { name: 'Remove this payment method' });
  await question.getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText(/^Your plan needs a payment method, and this is the only one\./)).toBeVisible();
  await button(page, 'Add Payment Method').click();
  await button(page, DECLINED).click();
  await button(page, 'Save').click();
  await expect(page.getByText('Your card was declined.')).toBeVisible();
  await expectAccessibleEverywhere(page);
  await page.getByRole('checkbox', { name: 'Use it for my plan from now on' }).uncheck();
  await button(page, ASKS).click();
  await button(page, 'Save').click();
  await button(page, 'Complete authentication').click();
  await expect(methods.getByRole('listitem')).toHaveCount(2);
  await button(page, 'Make Visa •••• 3155 the default').click();
  await expect(methods.getByRole('listitem').filter({ hasText: '3155' })).toContainText('Default');
  await button(page, 'Remove Visa •••• 4242').click();
  await question.getByRole('button', { name: 'Remove' }).click();
  await expect(methods.getByRole('listitem')).toHaveCount(1);
  await button(page, 'Replace Visa •••• 3155').click();
  await button(page, PAYS).click();
  await button(page, 'Save').click();
  await expect(methods.getByText('Visa •••• 4242')).toBeVisible();
  await expect(methods.getByRole('listitem')).toHaveCount(1);
});

test('a change of plan that the bank asks about takes effect only after the answer', async ({ shop, buyer }) => {
  const { page } = buyer;
  await toTheCard(buyer, 'Monthly');
  await page.getByLabel('Card number').fill(ALWAYS_ASKS);
  await page.getByLabel('Expiration date').fill('12 / 34');
  await page.getByLabel('Security code').fill('123');
  await button(page, 'SUBSCRIBE').click();
  await button(page, 'Complete authentication').click();
  await isHomeAsPro(buyer);
  await page.goto('/app/setting/subscription');
  for (const [answer, text] of [
    ['Fail', /Your plan stays as it was, and nothing was charged\.$/],
    ['Complete authentication', 'Your plan is Yearly now.'],
  ] as const) {
    await button(page, 'Change to Yearly').click();
    await page.getByRole('dialog', { name: 'Change to Yearly' }).getByRole('button', { name: 'Change Plan' }).click();
    await button(page, answer).click();
    await expect(page.getByText(text)).toBeVisible();
  }
  await expect(page.getByText('/Yearly', { exact: true })).toBeVisible();
  expect(await shop.chargesOf(mailOf(buyer))).toHaveLength(2);
});

test('a refused renewal is paid manually', async ({ shop, buyer }) => {
  const { page } = buyer;
  await buy(buyer, 'Monthly');
  await shop.refuseCards(true);
  await shop.passDays(32);
  await shop.refuseCards(false);
  await expect(async () => {
    await page.goto('/app/setting/subscription');
    await expect(page.getByText(/^Your last payment failed\. Pro lasts until /)).toBeVisible({ timeout: 3_000 });
  }).toPass({ timeout: 30_000 });
  await button(page, 'Pay Now').click();
  await payWith(buyer, PAYS);
  await isHomeAsPro(buyer);
  expect(await shop.chargesOf(mailOf(buyer))).toEqual([399, 399]);
});

test('a user at the free limit of events upgrades and joins', async ({ browser, shop, buyer }) => {
  const admin = await newAdmin(browser, shop);
  const [first, second] = [await createLiveEvent(admin, 'First Cup'), await createLiveEvent(admin, 'Second Cup')];
  const { page } = buyer;
  await page.goto(`/app/events/view/${first}`);
  await button(page, 'Join Tournament').click();
  await expect(page).toHaveURL(new RegExp(`/app/game/event/${first}$`));
  await page.goto(`/app/events/view/${second}`);
  await button(page, 'Join Tournament').click();
  const dialog = page.getByRole('dialog', { name: "You've hit the free plan limit!" });
  await dialog.getByRole('link', { name: 'Upgrade to Pro' }).click();
  await button(page, 'Next').click();
  await button(page, 'Select Monthly').click();
  await payWith(buyer, PAYS);
  await isHomeAsPro(buyer);
  await page.goto(`/app/events/view/${second}`);
  await button(page, 'Join Tournament').click();
  await expect(page).toHaveURL(new RegExp(`/app/game/event/${second}$`));
  await admin.page.context().close();
});

test('an admin grants and revokes Pro, and finds both in the ledger', async ({ browser, shop, buyer }) => {
  const admin = await newAdmin(browser, shop);
  const { page } = admin;
  const decide = async (what: string, reason: string) => {
    await page.getByRole('dialog', { name: buyer.name, exact: true }).getByRole('button', { name: what }).click();
    const form = page.getByRole('dialog', { name: new RegExp(`^${what} `) });
    await form.getByLabel('Reason').fill(reason);
    await form.getByRole('button', { name: what }).click();
    await expect(form).toBeHidden();
  };
  await page.goto(`/app/admin/users?q=${buyer.name}`);
  await button(page, buyer.name).click();
  await decide('Grant Pro', 'Helps at every event.');
  await buyer.page.goto('/app/pro');
  await expect(buyer.page.getByText('Pro was given to you by the operator of this server.')).toBeVisible();
  await decide('Revoke Pro', 'Moved away.');
  await buyer.page.goto('/app/pro');
  await expect(buyer.page.getByRole('heading', { name: 'Become a Member' })).toBeVisible();
  await page.getByRole('link', { name: `Billing of ${buyer.name}` }).click();
  const entries = page.getByRole('list', { name: 'Ledger' }).getByRole('listitem');
  await expect(entries).toHaveCount(2);
  await expect(entries.first()).toContainText('Moved away.');
  await expect(entries.last()).toContainText('Helps at every event.');
  expect(admin.errors).toEqual([]);
  await page.context().close();
});

test('the screens of Pro are accessible in every size and theme', async ({ buyer }) => {
  test.slow();
  const { page } = buyer;
  for (const path of ['/app/pro', '/app/pro?step=step_two', '/app/pro?step=step_three&plan=1']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 2 })).toBeVisible();
    await expectAccessibleEverywhere(page);
  }
  await buy(buyer, 'Monthly');
  await page.goto('/app/setting/subscription');
  await expect(page.getByText('Visa •••• 4242')).toBeVisible();
  await expectAccessibleEverywhere(page);
});

test('where payments are not set up, the screens show that and no provider is contacted', async ({ browser }) => {
  const appliance = await Appliance.start();
  const person = await newPerson(browser, { baseURL: appliance.url, reducedMotion: 'reduce' });
  const needless: string[] = [];
  person.page.on('request', (request) => {
    if (!request.url().startsWith(appliance.url) || /StripeForm|StandInForm/.test(request.url())) {
      needless.push(request.url());
    }
  });
  for (const path of ['/app/pro', '/app/setting/subscription', '/app/pro?step=step_three&plan=1']) {
    await person.page.goto(path);
    await expect(person.page.getByText(/^Payments are not set up on this server/)).toBeVisible();
  }
  expect(needless).toEqual([]);
  expect(person.errors).toEqual([]);
  await person.page.context().close();
  await appliance.remove();
});
