import { Appliance } from './appliance';
import { call } from './calls';
import { expect, newPerson, test as base } from './fixtures';
import { type Mailbox, verifyEmail, workersMailbox } from './mailbox';

/** A server with a mail server: hosts need an email that is verified. */
const test = base.extend<object, { mailbox: Mailbox; appliance: Appliance }>({
  mailbox: workersMailbox,
  appliance: [
    async ({ mailbox }, use) => {
      const appliance = await Appliance.start({
        ...mailbox.settings,
        MORPION_LIMITS__CODES_PER_HOUR: '100',
      });
      await use(appliance);
      await appliance.remove();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
});

test('a member hosts a private knockout, and people enter it by its link', async ({
  two: [ada, bob],
  browser,
  baseURL,
  mailbox,
}) => {
  const title = 'Kitchen Knockout';

  await test.step('whoever has not verified their email is told to', async () => {
    await ada.page.goto('/app/events');
    await ada.page.getByRole('link', { name: 'Host an event' }).click();
    await ada.page.getByRole('link', { name: 'Verify your email' }).click();
    const email = `${ada.name}@example.org`;
    await verifyEmail(ada.page, email, mailbox);
    await expect(ada.page.getByText(`${email} is verified.`)).toBeVisible();
  });

  const link = await test.step('Ada hosts it in three steps', async () => {
    const { page } = ada;
    await page.goto('/app/host');
    await page.getByLabel('Title').fill(title);
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('Knockout', { exact: true }).click();
    await page.getByLabel('Maximum players').fill('8');
    await page.getByRole('button', { name: 'Publish Event' }).click();
    await ada.sees(`${title} is ready`);
    return page.getByLabel('Link', { exact: true }).inputValue();
  });

  const outsider = await newPerson(browser, baseURL === undefined ? {} : { baseURL });
  const pageOfEvent = await test.step('Bob enters by the link, which leaves the address', async () => {
    const { page } = bob;
    await page.goto(link);
    await expect(page.getByLabel('Join code')).toHaveValue(new URL(link).hash.slice(1));
    await expect(page).toHaveURL(/\/join$/);
    await page.getByRole('button', { name: 'Enter Event' }).click();
    await expect(page.getByRole('heading', { name: 'You are registered!' })).toBeVisible();
    await expect(page.getByText('Private', { exact: true })).toBeVisible();
    await expect(page.getByRole('link', { name: ada.name })).toBeVisible();
    await expect(page.getByLabel('Join code')).toHaveCount(0);
    return page.url();
  });

  await test.step('others do not find it', async () => {
    const visitor = await (await browser.newContext()).newPage();
    for (const page of [outsider.page, visitor]) {
      await page.goto(pageOfEvent);
      await expect(page.getByText('Event not found.')).toBeVisible();
    }
    await visitor.context().close();
    await outsider.page.goto('/app/events');
    await expect(outsider.page.getByRole('heading', { name: 'No Events Available' })).toBeVisible();
    await outsider.page.goto('/join');
    await outsider.page.getByLabel('Join code').fill('aaaa-aaaa-aaaa-aaaa');
    await outsider.page.getByRole('button', { name: 'Enter Event' }).click();
    await expect(outsider.page.getByText('No event has this join code.')).toBeVisible();
  });

  await test.step('Ada enters her own event, and starts it from her desk', async () => {
    const { page } = ada;
    const eventId = pageOfEvent.split('/').at(-1) ?? '';
    await call(page, 'eventSignUp', 'sign_up', { eventId });
    await page.getByRole('link', { name: 'Open your desk' }).click();
    await expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible();
    await expect(page.getByRole('tab', { name: 'Participants (2)' })).toBeVisible();
    await page.getByLabel('Message to all participants').fill('Tea is served.');
    await page.getByRole('button', { name: 'Announce' }).click();
    await expect(bob.page.getByText('Tea is served.').first()).toBeVisible();
    await page.getByRole('button', { name: 'Start Event' }).click();
    await expect(page.getByRole('region', { name: 'Director’s Desk' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Duplicate Event' })).toHaveCount(0);
    await expect(bob.page.getByRole('button', { name: 'Join Tournament' })).toBeVisible();
  });

  await test.step('a new code ends the link', async () => {
    const { page } = ada;
    await page.getByRole('button', { name: 'New Code…' }).click();
    await page.getByRole('button', { name: 'Make a New Code' }).click();
    await expect(page.getByLabel('Link', { exact: true })).not.toHaveValue(link);
    await outsider.page.goto(link);
    await outsider.page.getByRole('button', { name: 'Enter Event' }).click();
    await expect(outsider.page.getByText('No event has this join code.')).toBeVisible();
  });
  await outsider.page.context().close();
});
