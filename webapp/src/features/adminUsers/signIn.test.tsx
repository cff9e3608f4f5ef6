import { notifications } from '@mantine/notifications';
import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { expectAccessible } from '@/testing/axe';
import { DEMO } from '@/testing/mocks/mockServer';
import { renderWithMockServer } from '@/testing/renderWithMockServer';
// Imported here, so that loading does not count towards the time-out of the first test.
import './UsersPage';

beforeEach(() => notifications.clean());

async function openAccount(username: string, prepare: (mock: Mock) => void = () => undefined) {
  const app = renderWithMockServer('/app/admin/users', { asAdmin: true });
  prepare(app.mock);
  await app.user.click(await screen.findByRole('button', { name: username }));
  return { ...app, dialog: within(await screen.findByRole('dialog')) };
}

type Mock = ReturnType<typeof renderWithMockServer>['mock'];

const form = (name: string) => screen.findByRole('dialog', { name }).then((dialog) => within(dialog));

describe('helping somebody to sign in', () => {
  it('makes a one-time link after a reason, shows it once, and copies it', async () => {
    const { user, dialog, mock } = await openAccount('bob');
    await user.click(dialog.getByRole('button', { name: 'Make One-Time Link' }));
    const asked = await form('One-Time Link');
    await user.click(asked.getByRole('button', { name: 'Make Link' }));
    expect(await asked.findByText('Please enter a reason.')).toBeInTheDocument();
    expect(mock.accountState.passwordLink).toBeUndefined();
    await user.type(asked.getByRole('textbox', { name: /^Reason/ }), 'No mail here.');
    await expectAccessible(screen.getByRole('dialog', { name: 'One-Time Link' }));
    await user.click(asked.getByRole('button', { name: 'Make Link' }));
    const link = await asked.findByRole('textbox', { name: 'One-time link' });
    expect(link).toHaveValue(`${window.location.origin}/new-password#${mock.accountState.passwordLink?.token ?? ''}`);
    await user.click(asked.getByRole('button', { name: 'Copy' }));
    expect(await asked.findByRole('button', { name: 'Copied' })).toBeInTheDocument();
    expect(await navigator.clipboard.readText()).toBe((link as HTMLInputElement).value);
    await expectAccessible(screen.getByRole('dialog', { name: 'One-Time Link' }));
    await user.click(asked.getByRole('button', { name: 'Done' }));
    await user.click(dialog.getByRole('button', { name: 'Make One-Time Link' }));
    expect(await screen.findByRole('button', { name: 'Make Link' })).toBeInTheDocument();
  });

  it('removes a second factor that is lost, at once or with the link', async () => {
    const { user, dialog, mock } = await openAccount('bob', (server) => {
      const { userId } = server.find(({ username }) => username === 'bob');
      server.factors.of(userId).totp = true;
      server.setSecondFactor(userId, true);
    });
    await user.click(dialog.getByRole('button', { name: 'Make One-Time Link' }));
    let asked = await form('One-Time Link');
    await user.click(asked.getByRole('checkbox', { name: /second factor is lost/ }));
    await user.type(asked.getByRole('textbox', { name: /^Reason/ }), 'Lost all.');
    await user.click(asked.getByRole('button', { name: 'Make Link' }));
    await user.click(await asked.findByRole('button', { name: 'Done' }));
    expect(mock.accountState.passwordLink?.endsFactors).toBe(true);

    await user.click(dialog.getByRole('button', { name: 'Remove Second Factor' }));
    asked = await form('Remove Second Factor');
    await user.type(asked.getByRole('textbox', { name: /^Reason/ }), 'Lost the phone.');
    await user.click(asked.getByRole('button', { name: 'Remove Second Factor' }));
    expect(await screen.findByText(/signs in without a second factor now/)).toBeInTheDocument();
    expect(mock.find(({ username }) => username === 'bob').secondFactor).toBe(false);
  });

  it('changes an email, and says at the field why it cannot be', async () => {
    const { user, dialog, mock } = await openAccount('bob', (server) => {
      const { userId } = server.find(({ email }) => email === DEMO.email);
      server.change(userId, { emailVerified: true });
    });
    await user.click(dialog.getByRole('button', { name: 'Change Email' }));
    const asked = await form('Change Email');
    await user.type(asked.getByLabelText(/^New email/), DEMO.email);
    await user.type(asked.getByRole('textbox', { name: /^Reason/ }), 'Typed wrong.');
    await user.click(asked.getByRole('button', { name: 'Change Email' }));
    expect((await asked.findAllByText(/belongs to another account/)).length).toBeGreaterThan(0);
    await user.clear(asked.getByLabelText(/^New email/));
    await user.type(asked.getByLabelText(/^New email/), 'robert@example.org');
    await user.click(asked.getByRole('button', { name: 'Change Email' }));
    expect(await screen.findByText(/has the new email/)).toBeInTheDocument();
    expect(mock.find(({ username }) => username === 'bob')).toMatchObject({
      email: 'robert@example.org',
      emailVerified: false,
    });
  });

  it("leaves an admin's account to the shell", async () => {
    const { dialog } = await openAccount('grace');
    expect(dialog.getByText(/is changed on the server itself/)).toBeInTheDocument();
    expect(dialog.queryByRole('button', { name: 'Make One-Time Link' })).not.toBeInTheDocument();
  });
});

describe('hosting', () => {
  it('is allowed to somebody without a verified email, and taken back', async () => {
    const { user, dialog, mock } = await openAccount('bob', (server) => {
      server.change(server.find(({ username }) => username === 'bob').userId, { emailVerified: false });
    });
    const allowed = () => mock.find(({ username }) => username === 'bob').mayHost;
    await user.click(dialog.getByRole('switch', { name: 'May host private events' }));
    expect(await screen.findByText('bob may host events now.')).toBeInTheDocument();
    expect(allowed()).toBe(true);
    await user.click(dialog.getByRole('switch', { name: 'May host private events' }));
    expect(await screen.findByText('bob may not host events now.')).toBeInTheDocument();
    expect(allowed()).toBeUndefined();
  });
});
