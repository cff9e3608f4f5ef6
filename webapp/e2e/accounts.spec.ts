import type { Browser, Page } from '@playwright/test';
import { OAuth2Server } from 'oauth2-mock-server';
import { Appliance } from './appliance';
import { expect, newName, PASSWORD, type Person, test as base } from './fixtures';
import { DESKTOP, PHONE, watchLayoutShifts } from './pageChecks';
import { type Mailbox, verifyEmail, workersMailbox } from './mailbox';

const NEW_PASSWORD = 'Paper-and-1nk';

/** A server with a mail server and an identity provider, both real programs on this machine. */
const test = base.extend<object, { mailbox: Mailbox; issuer: OAuth2Server; appliance: Appliance }>({
  mailbox: workersMailbox,
  issuer: [
    // eslint-disable-next-line no-empty-pattern -- playwright wants the pattern
    async ({}, use) => {
      const issuer = new OAuth2Server();
      await issuer.issuer.keys.generate('RS256');
      await issuer.start(0, '127.0.0.1');
      await use(issuer);
      await issuer.stop();
    },
    { scope: 'worker' },
  ],
  appliance: [
    async ({ mailbox, issuer }, use) => {
      const appliance = await Appliance.start({
        ...mailbox.settings,
        MORPION_IDENTITY__OIDC__ISSUER: issuer.issuer.url ?? '',
        MORPION_IDENTITY__OIDC__CLIENT_ID: 'morpion-e2e',
        MORPION_IDENTITY__OIDC__CLIENT_SECRET: 'known-to-both',
        MORPION_IDENTITY__OIDC__NAME: 'Example ID',
        MORPION_LIMITS__CODES_PER_HOUR: '100',
      });
      await use(appliance);
      await appliance.remove();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
});

const emailOf = ({ name }: Person) => `${name}@example.org`;

async function signIn(page: Page, email: string, password: string) {
  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel(/^Password/).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** A page in a new browser context, signed out. */
async function freshPage(browser: Browser, baseURL: string | undefined): Promise<Page> {
  const context = await browser.newContext(baseURL === undefined ? {} : { baseURL });
  return context.newPage();
}

test('a forgotten password is reset with a mailed code', async ({ ada, mailbox, browser, baseURL }) => {
  const email = emailOf(ada);
  const page = await freshPage(browser, baseURL);
  await page.goto('/login');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  // The sign-in page has such a field as well.
  await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor();
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send code' }).click();
  const code = await mailbox.code(email, 'Your code for a new Morpion password');

  await page.getByLabel('Verification code').fill(code === '100000' ? '100001' : '100000');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('The code is wrong or has expired.').first()).toBeVisible();
  await page.getByLabel('Verification code').fill(code);
  await page.getByRole('button', { name: 'Continue' }).click();

  await page.getByLabel(/^New password/).fill('short');
  await page.getByRole('button', { name: 'Set password' }).click();
  await expect(page.getByText('Password must be at least 8 characters.')).toBeVisible();
  await page.getByLabel(/^New password/).fill(NEW_PASSWORD);
  await page.getByLabel(/^Retype the new password/).fill(NEW_PASSWORD);
  await page.getByRole('button', { name: 'Set password' }).click();
  // Nobody has confirmed the email yet.
  await page.getByRole('button', { name: 'It’s mine: open it' }).click();
  await expect(page).toHaveURL(/\/login$/);

  await signIn(page, email, PASSWORD);
  await expect(page.getByRole('alert').filter({ hasText: /\S/ })).toBeVisible();
  await signIn(page, email, NEW_PASSWORD);
  await expect(page.getByRole('heading', { name: `Welcome, ${ada.name}!` })).toBeVisible();
  // The reset ends the session of the other browser.
  await ada.page.goto('/app/setting/security');
  await expect(ada.page).toHaveURL(/\/login$/);
  await page.context().close();
});

test('an email is verified with the code sent after registering', async ({ newcomer: ada, mailbox }) => {
  await ada.page.goto('/app/accountSetup');
  await verifyEmail(ada.page, emailOf(ada), mailbox);
  await expect(ada.page.getByText('Your email is verified.')).toBeVisible();
  await ada.page.goto('/app/setting/security');
  await expect(ada.page.getByText(`${emailOf(ada)} is verified.`)).toBeVisible();
});

test('a picture is cropped by mouse and by keyboard, stored, and removed', async ({ ada }) => {
  const { page } = ada;
  await page.goto('/app/setting/edit');
  const picture = await page.evaluate(async () => {
    // The upper half is red, the lower half blue: the colour of the result tells which part was selected.
    const canvas = document.createElement('canvas');
    canvas.width = 400;
    canvas.height = 800;
    const drawing = canvas.getContext('2d');
    if (drawing === null) throw new Error('no canvas');
    drawing.fillStyle = '#ff0000';
    drawing.fillRect(0, 0, 400, 400);
    drawing.fillStyle = '#0000ff';
    drawing.fillRect(0, 400, 400, 400);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
    return [...new Uint8Array((await blob?.arrayBuffer()) ?? new ArrayBuffer(0))];
  });
  const file = page.locator('input[type=file]');
  await file.setInputFiles({ name: 'a.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') });
  await expect(page.getByText('Only png, gif and jpeg pictures can be used.')).toBeVisible();
  await file.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('not a picture') });
  await expect(page.getByText('The picture is damaged or incomplete.')).toBeVisible();

  await file.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from(picture) });
  const dialog = page.getByRole('dialog', { name: 'Crop your picture' });
  const frame = dialog.getByRole('group', { name: /arrow keys/ });
  await frame.focus();
  // Moves the picture under the frame to its end, until one colour fills the frame.
  for (let step = 0; step < 60; step += 1) await page.keyboard.press('ArrowUp');
  await dialog.getByRole('button', { name: 'Use this picture' }).click();
  await expect(page.getByText('Your picture is saved.')).toBeVisible();
  const shown = page.getByRole('main').locator('img').first();
  await expect(shown).toBeVisible();
  const color = await shown.evaluate(async (image: HTMLImageElement) => {
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.naturalWidth;
    canvas.height = image.naturalHeight;
    const drawing = canvas.getContext('2d');
    drawing?.drawImage(image, 0, 0);
    const middle = image.naturalWidth / 2;
    const at = (y: number) => {
      const [red = 0, , blue = 0] = drawing?.getImageData(middle, y, 1, 1).data ?? [];
      return red > blue ? 'red' : 'blue';
    };
    return { width: image.naturalWidth, height: image.naturalHeight, top: at(4), bottom: at(image.naturalHeight - 5) };
  });
  expect(color.width).toBe(color.height);
  expect(color.top).toEqual(color.bottom);

  await page.reload();
  await expect(shown).toBeVisible();
  await page.getByRole('button', { name: 'Delete picture' }).click();
  await expect(page.getByRole('button', { name: 'Upload picture' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Upload picture' })).toBeVisible();
});

test('an account is deleted in the middle of a game', async ({ two: [ada, bob] }) => {
  await ada.invite(bob);
  await bob.accept(ada);
  await ada.plays(2, 2);
  const { page } = ada;
  // In a second tab, so that the game stays open in the first.
  const settings = await page.context().newPage();
  await settings.goto('/app/setting/edit');
  await settings.getByRole('button', { name: 'Delete Account' }).click();
  const dialog = settings.getByRole('dialog', { name: 'Delete Account' });
  await dialog.getByLabel('Type DELETE to confirm').fill('DELETE');
  await dialog.getByRole('button', { name: 'Delete Account' }).click();
  await settings.getByRole('button', { name: 'Leave' }).click();
  await expect(settings).toHaveURL(/\/hello$/);

  await bob.sees('You Won!');
  await signIn(settings, emailOf(ada), PASSWORD);
  await expect(settings.getByRole('alert').filter({ hasText: /\S/ })).toBeVisible();
  await bob.page.goto('/app/practice/remote');
  await bob.page.getByPlaceholder('Search by username…').fill(ada.name);
  await expect(bob.page.getByRole('button', { name: `Select ${ada.name}` })).toBeHidden();
});

test('a visitor with an invite link plays at once as a guest, and keeps everything with a new account', async ({
  ada,
  browser,
  baseURL,
}) => {
  await ada.page.goto('/app/practice/remote');
  await ada.page.getByRole('button', { name: 'Create an invite link' }).click();
  const link = await ada.page.getByLabel('Invite link').inputValue();
  const guest = await freshPage(browser, baseURL);
  await guest.goto(link);
  await ada.plays(1, 1);
  await expect(guest.getByRole('heading', { name: 'Your turn' })).toBeVisible();
  await guest.getByRole('gridcell', { name: /^Row 2, column 2,/ }).click();
  await expect(ada.cell(2, 2)).toHaveAccessibleName(/, O$/);

  const banner = guest.getByRole('complementary', { name: 'Guest' });
  await guest.setViewportSize(PHONE);
  for (const path of ['/app/practice/ai', '/app/practice/local']) {
    await guest.goto(path);
    await expect(banner).toBeVisible();
    // The navigation at the bottom covers no button that playing needs.
    const bar = await guest.getByRole('navigation', { name: 'Main' }).boundingBox();
    for (const name of ['Undo', 'Reset']) {
      const button = await guest.getByRole('button', { name }).boundingBox();
      expect((button?.y ?? Infinity) + (button?.height ?? 0), `${name} on ${path}`).toBeLessThanOrEqual(bar?.y ?? 0);
    }
  }
  await guest.setViewportSize(DESKTOP);
  await guest.goto('/app/home');
  const guestName = await banner.getByRole('strong').innerText();
  await banner.getByRole('link', { name: 'Keep your name: create an account' }).click();
  const name = newName('kept');
  await guest.getByLabel('Username').fill(name);
  await guest.getByLabel('Email').fill(`${name}@example.org`);
  await guest.getByLabel(/^Password/).fill(PASSWORD);
  await guest.getByRole('button', { name: 'Sign Up' }).click();
  await expect(guest.getByRole('heading', { name: 'Set up your account' })).toBeVisible();
  await guest.getByRole('link', { name: 'Later' }).click();
  await expect(guest.getByRole('heading', { name: `Welcome, ${guestName}!` })).toBeVisible();
  await expect(banner).toBeHidden();
  // The account has taken over the guest's game.
  await guest.getByRole('link', { name: `Open the game with ${ada.name}` }).click();
  await ada.plays(1, 2);
  await expect(guest.getByRole('heading', { name: 'Your turn' })).toBeVisible();
  await guest.context().close();
});

test('the security settings do not shift while they are loaded', async ({ ada: { page } }) => {
  const moves = await watchLayoutShifts(page);
  // The responses come later than the page, as on a slow connection.
  await page.route(/providers|sessions/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    await route.continue();
  });
  for (const size of [PHONE, DESKTOP]) {
    await page.setViewportSize(size);
    await page.goto('/app/setting/security');
    await expect(page.getByText('This device')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Download your data' })).toBeVisible();
    const moved = (await moves()).reduce((sum, { value }) => sum + value, 0);
    expect(moved, `${size.width} px`).toBeLessThan(0.01);
  }
});

test('a session ended in another browser is over at once', async ({ ada, browser, baseURL }) => {
  const phone = await freshPage(browser, baseURL);
  await signIn(phone, emailOf(ada), PASSWORD);
  await expect(phone.getByRole('heading', { name: `Welcome, ${ada.name}!` })).toBeVisible();
  await ada.page.goto('/app/setting/security');
  await ada.page.getByRole('button', { name: /^Sign out .*, last used/ }).click();
  await expect(phone).toHaveURL(/\/login$/);
  await expect(ada.page.getByRole('button', { name: /^Sign out .*, last used/ })).toBeHidden();
  await expect(ada.page).toHaveURL(/\/app\/setting\/security$/);
  await phone.context().close();
});

test('a user signs up and signs in with a provider', async ({ browser, baseURL, issuer }) => {
  const email = `${newName('oidc')}@example.org`;
  let isVerified = true;
  const claims = (token: { payload: Record<string, unknown> }) => {
    Object.assign(token.payload, {
      sub: email,
      email,
      email_verified: isVerified,
      given_name: 'Olive',
      family_name: 'Id',
      name: 'Olive Id',
    });
  };
  issuer.service.on('beforeTokenSigning', claims);
  const first = await freshPage(browser, baseURL);
  await first.goto('/register');
  await first.getByRole('link', { name: 'Sign up with Example ID' }).click();
  await expect(first.getByRole('heading', { name: 'Set up your account' })).toBeVisible();
  await first.goto('/app/setting/edit');
  await expect(first.getByLabel('Email')).toHaveValue(email);
  await expect(first.getByLabel('First Name')).toHaveValue('Olive');

  const second = await freshPage(browser, baseURL);
  await second.goto('/app/setting/security');
  await second.getByRole('link', { name: 'Sign in with Example ID' }).click();
  await expect(second).toHaveURL(/\/app\/setting\/security$/);
  await expect(second.getByText(`${email} is verified.`)).toBeVisible();
  await expect(second.getByText('This device')).toBeVisible();
  await first.context().close();
  await second.context().close();

  // An email that the provider has not verified is refused.
  isVerified = false;
  const third = await freshPage(browser, baseURL);
  await third.goto('/login');
  await third.getByRole('link', { name: 'Sign in with Example ID' }).click();
  await expect(third).toHaveURL(/\/login\?error=provider-email-unverified$/);
  await expect(third.getByText(/Your provider has not verified your email/)).toBeVisible();
  await third.context().close();
  issuer.service.off('beforeTokenSigning', claims);
});
