import { createHmac } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expect, newPerson, PASSWORD, type Person, test as base } from './fixtures';
import { expectAccessibleEverywhere } from './pageChecks';

/** By its name: by an IP address there are no passkeys. */
const test = base.extend({
  baseURL: ({ appliance }, use) => use(appliance.url.replace('127.0.0.1', 'localhost')),
});

const STEP_MS = 30_000;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The code that an authenticator app shows at this step. */
function totp(secret: string, step: number): string {
  const bits = [...secret].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const hash = createHmac('sha1', key).update(counter).digest();
  const at = (hash.at(-1) ?? 0) & 15;
  return String((hash.readUInt32BE(at) & 0x7fff_ffff) % 1_000_000).padStart(6, '0');
}

/** An authenticator app. Each code is good once, and the server takes those of the step before and after as well. */
class App {
  readonly #secret: string;
  #used = 0;

  constructor(secret: string) {
    this.#secret = secret;
  }

  /** A code that was not used yet; waits until there is one that the server takes. */
  async code(): Promise<string> {
    const now = () => Math.floor(Date.now() / STEP_MS);
    this.#used = Math.max(this.#used + 1, now());
    while (this.#used > now() + 1) await new Promise((resolve) => setTimeout(resolve, 500));
    return totp(this.#secret, this.#used);
  }
}

/** A device with a fingerprint reader in the browser; it agrees to what it is asked while `isPresent`. */
async function addAuthenticator(page: Page): Promise<(isPresent: boolean) => Promise<void>> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: false,
    },
  });
  return async (enabled) => {
    await devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });
  };
}

async function setUpApp({ page }: Person): Promise<{ app: App; recoveryCodes: string[] }> {
  await page.goto('/app/setting/security');
  await page.getByRole('button', { name: 'Set up an app' }).click();
  const app = new App((await page.getByLabel('Secret').innerText()).replaceAll(/\s/g, ''));
  await expect(page.getByRole('img', { name: /QR code/ })).toHaveJSProperty('complete', true);
  await page.getByLabel('Code from your authenticator app').fill(await app.code());
  await page.getByRole('button', { name: 'Turn on' }).click();
  return { app, recoveryCodes: await saveCodes(page) };
}

async function saveCodes(page: Page): Promise<string[]> {
  const dialog = page.getByRole('dialog', { name: 'Save your recovery codes' });
  await expect(dialog.getByRole('listitem')).toHaveCount(10);
  const codes = await dialog.getByRole('listitem').allInnerTexts();
  await dialog.getByLabel('I have saved these codes').check();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(dialog).toBeHidden();
  return codes.map((code) => code.trim());
}

async function signIn(page: Page, { name }: Person): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('Email').fill(`${name}@example.org`);
  await page.getByLabel(/^Password/).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

async function signOut({ page }: Person): Promise<void> {
  await page.getByRole('button', { name: 'Log Out' }).first().click();
  await expect(page).toHaveURL(/\/hello$/);
}

/** What the browser logs when the server refuses a call, which these tests provoke. */
function expectRefusals(person: Person): void {
  const isOther = (error: string) => !/status of (401|403|410|422)/.test(error);
  expect(person.errors.filter(isOther)).toEqual([]);
  person.errors.length = 0;
}

test('signing in asks for a code of the app, or for a recovery code once', async ({ ada }) => {
  const { page } = ada;
  const { app, recoveryCodes } = await setUpApp(ada);
  await signOut(ada);

  await signIn(page, ada);
  const code = page.getByLabel('Code from your authenticator app');
  await code.fill('000000');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByText('That code is wrong or was used already.')).toBeVisible();
  await code.fill(await app.code());
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await ada.sees(`Welcome, ${ada.name}!`);
  await signOut(ada);

  for (const isFirst of [true, false]) {
    await signIn(page, ada);
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await page.getByLabel('Recovery code').fill(recoveryCodes[0]!.toUpperCase());
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    if (isFirst) {
      await ada.sees(`Welcome, ${ada.name}!`);
      await page.goto('/app/setting/security');
      await expect(page.getByText(/^9 of 10 left/)).toBeVisible();
      await signOut(ada);
    } else {
      await expect(page.getByText('That code is wrong or was used already.')).toBeVisible();
    }
  }
  expectRefusals(ada);
});

test('a passkey signs in alone, and as the second step', async ({ ada }) => {
  const { page } = ada;
  const setPresent = await addAuthenticator(page);
  await page.goto('/app/setting/security');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByLabel('Name of the passkey').fill('Laptop');
  await setPresent(true);
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await saveCodes(page);
  await expect(page.getByText('Not used yet')).toBeVisible();
  await setPresent(false);
  await signOut(ada);

  await signIn(page, ada);
  const second = page.getByRole('button', { name: 'Use a passkey' });
  // On the page before, the browser offers the passkey by itself.
  await expect(second).toBeVisible();
  await setPresent(true);
  await second.click();
  await ada.sees(`Welcome, ${ada.name}!`);
  await setPresent(false);
  await signOut(ada);

  await page.goto('/login');
  const button = page.getByRole('button', { name: 'Sign in with a passkey' });
  await expect(button).toBeEnabled();
  await setPresent(true);
  // The browser's suggestion may be faster: this device agrees to everything.
  await button.click({ timeout: 2_000 }).catch(() => undefined);
  await ada.sees(`Welcome, ${ada.name}!`);
  await page.goto('/app/setting/security');
  await expect(page.getByText(/^Last used .*(AM|PM|:\d\d)$/)).toBeVisible();
  expectRefusals(ada);
});

test('a one-time link makes a passkey, which signs in alone', async ({ ada, appliance, browser, baseURL }) => {
  const told = await appliance.command('admin', 'password-link', ada.name, '--reason', 'No mail here.');
  const { hash } = new URL(/http\S+/.exec(told)?.[0] ?? '');
  const context = await browser.newContext(baseURL === undefined ? {} : { baseURL });
  const page = await context.newPage();
  const setPresent = await addAuthenticator(page);
  await page.goto(`/new-password${hash}`);
  await page.getByRole('button', { name: 'Make a passkey instead' }).click();
  await page.getByLabel('Name of the passkey').fill('Laptop');
  await expectAccessibleEverywhere(page);
  await setPresent(true);
  await page.getByRole('button', { name: 'Make passkey' }).click();
  await saveCodes(page);
  await expect(page).toHaveURL(/\/login$/);
  await setPresent(false);
  const button = page.getByRole('button', { name: 'Sign in with a passkey' });
  await expect(button).toBeEnabled();
  await setPresent(true);
  // The browser's suggestion may be faster: this device agrees to everything.
  await button.click({ timeout: 2_000 }).catch(() => undefined);
  await expect(page.getByRole('heading', { name: `Welcome, ${ada.name}!` })).toBeVisible();
  await ada.page.goto('/app/home');
  await expect(ada.page).toHaveURL(/\/login$/);
  await context.close();
});

test('a sensitive act asks for a proof, and is then done', async ({ ada }) => {
  const { page } = ada;
  await page.goto('/app/setting/security');
  // As ten minutes after the sign-in.
  let isOld = true;
  await page.route('**/api/auth/second-factor/totp/begin', (route) =>
    isOld
      ? route.fulfill({
          status: 403,
          json: { succeeded: false, errorCode: 'proof-required', errorMessage: 'Prove it.' },
        })
      : route.continue(),
  );
  await page.route('**/api/auth/proof', async (route) => {
    const response = await route.fetch();
    isOld = !response.ok();
    await route.fulfill({ response });
  });
  await page.getByRole('button', { name: 'Set up an app' }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await dialog.getByLabel('Your password').fill('Wrong-one-1');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(dialog.getByText('That password is wrong.')).toBeVisible();
  await dialog.getByLabel('Your password').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible();
  expectRefusals(ada);
});

test('an admin keeps the recovery codes in view, and the admin pages', async ({ browser, appliance, baseURL }) => {
  const options = baseURL === undefined ? {} : { baseURL };
  const admins = await Promise.all([newPerson(browser, options), newPerson(browser, options)]);
  for (const admin of admins) await admin.promote(appliance);
  // The second needs one from then on, and loses the admin pages until it is set up.
  for (const admin of admins) {
    await setUpApp(admin);
    await admin.page.goto('/app/admin/users');
    // Other tests register people meanwhile, so that this one may be on a later page.
    await expect(admin.page.getByRole('listitem').filter({ hasText: 'player_' }).first()).toBeVisible();
    expectRefusals(admin);
    await admin.page.context().close();
  }
});

test('signing out everywhere ends every browser', async ({ ada, browser, baseURL }) => {
  const options = baseURL === undefined ? {} : { baseURL };
  const phone = await newPerson(browser, options, async (person) => {
    await signIn(person.page, ada);
    await expect(person.page.getByRole('heading', { name: `Welcome, ${ada.name}!` })).toBeVisible();
  });
  await ada.page.goto('/app/setting/security');
  await ada.page.getByRole('button', { name: 'Sign out everywhere', exact: true }).click();
  await ada.page.getByRole('button', { name: 'Sign out all' }).click();
  await expect(ada.page).toHaveURL(/\/hello$/);
  await expect(phone.page).toHaveURL(/\/login$/);
  await ada.page.goto('/app/home');
  await expect(ada.page).toHaveURL(/\/(login|hello)$/);
  await phone.page.context().close();
  expectRefusals(ada);
});
