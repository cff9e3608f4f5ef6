import { screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { describe, expect, it, vi } from 'vitest';
import { expectAccessible } from '@/testing/axe';
import { MOCK_TOTP } from '@/testing/mocks/secondFactor';
import { stubPasskeys } from '@/testing/passkeys';
import { renderWithMockServer } from '@/testing/renderWithMockServer';
import { failure, server } from '@/testing/server';

type App = ReturnType<typeof renderWithMockServer>;

async function card(name: string) {
  return within(await screen.findByRole('region', { name }));
}

function withApp({ mock }: App, codes = 10): void {
  const { userId } = mock.user;
  mock.factors.of(userId).totp = true;
  mock.factors.of(userId).recoveryCodes = Array.from({ length: codes }, (_, at) => `code-${at}`);
  mock.update({ secondFactor: true });
}

function withPasskey({ mock }: App, name = 'My phone'): void {
  const { userId } = mock.user;
  const passkey = {
    passkeyId: crypto.randomUUID(),
    credentialId: 'device-key',
    name,
    createdAt: '2026-01-02T10:00:00Z',
  };
  mock.factors.of(userId).passkeys.push(passkey);
  mock.factors.of(userId).recoveryCodes = ['code-0', 'code-1', 'code-2'];
  mock.update({ secondFactor: true });
}

describe('an authenticator app', () => {
  it('is set up with its first code, and the recovery codes have to be saved', async () => {
    const { user, mock, store } = renderWithMockServer('/app/setting/security');
    const twoStep = await card('Two-step verification');
    expect(twoStep.getByText(/nobody can sign in with your password alone/)).toBeInTheDocument();
    await user.click(twoStep.getByRole('button', { name: 'Set up an app' }));
    expect(await twoStep.findByRole('img', { name: /QR code/ })).toHaveAttribute(
      'src',
      expect.stringMatching(/^data:/),
    );
    // On the phone that has the app nothing can be scanned.
    expect(twoStep.getByRole('link', { name: 'open the app on this device' })).toHaveAttribute(
      'href',
      expect.stringMatching(/^otpauth:\/\/totp\//),
    );
    expect(twoStep.getByLabelText('Secret')).toHaveTextContent('JBSW Y3DP EHPK 3PXP JBSW Y3DP EHPK 3PXP');
    const code = twoStep.getByLabelText(/Code from your authenticator app/);
    expect(code).toHaveAttribute('inputmode', 'numeric');
    expect(code).toHaveAttribute('autocomplete', 'one-time-code');
    await expectAccessible();
    await user.type(code, '123{Enter}');
    expect(await twoStep.findByText('The code has 6 digits.')).toBeInTheDocument();
    await user.clear(code);
    await user.type(code, '000000{Enter}');
    expect(await twoStep.findByText(/This code is wrong/)).toBeInTheDocument();
    await user.clear(code);
    // As some apps show it.
    await user.type(code, `${MOCK_TOTP.slice(0, 3)} ${MOCK_TOTP.slice(3)}{Enter}`);

    const dialog = within(await screen.findByRole('dialog', { name: 'Save your recovery codes' }));
    expect(dialog.getAllByRole('listitem')).toHaveLength(10);
    await expectAccessible();
    const done = dialog.getByRole('button', { name: 'Done' });
    expect(done).toBeDisabled();
    await user.keyboard('{Escape}');
    expect(done).toBeInTheDocument();
    await user.click(dialog.getByRole('checkbox', { name: 'I have saved these codes' }));
    await user.click(done);
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(twoStep.getByText('On')).toBeInTheDocument();
    expect(twoStep.getByText(/^10 of 10 left/)).toBeInTheDocument();
    expect(mock.factors.of(mock.user.userId).totp).toBe(true);
    expect(store.getState().session.user?.secondFactor).toBe(true);
  });

  it('can be given up before it is confirmed', async () => {
    const { user } = renderWithMockServer('/app/setting/security');
    const twoStep = await card('Two-step verification');
    await user.click(twoStep.getByRole('button', { name: 'Set up an app' }));
    await user.click(await twoStep.findByRole('button', { name: 'Cancel' }));
    expect(twoStep.queryByRole('img')).not.toBeInTheDocument();
    expect(twoStep.getByRole('button', { name: 'Set up an app' })).toBeInTheDocument();
  });

  it('says when the set-up took too long', async () => {
    const { user, mock } = renderWithMockServer('/app/setting/security');
    const twoStep = await card('Two-step verification');
    await user.click(twoStep.getByRole('button', { name: 'Set up an app' }));
    const code = await twoStep.findByLabelText(/Code from your authenticator app/);
    mock.factors.isBegun = false;
    await user.type(code, `${MOCK_TOTP}{Enter}`);
    expect(await twoStep.findByText('This took too long. Please start again.')).toBeInTheDocument();
  });

  it('is removed after a question, and the recovery codes go', async () => {
    const app = renderWithMockServer('/app/setting/security');
    withApp(app);
    const { user, mock, store } = app;
    const twoStep = await card('Two-step verification');
    await user.click(await twoStep.findByRole('button', { name: 'Remove app' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Remove the authenticator app?' }));
    await user.click(dialog.getByRole('button', { name: 'Remove app' }));
    expect(await twoStep.findByRole('button', { name: 'Set up an app' })).toBeInTheDocument();
    expect(twoStep.queryByText('Recovery codes')).not.toBeInTheDocument();
    expect(mock.user.secondFactor).toBe(false);
    await waitFor(() => expect(store.getState().session.user?.secondFactor).toBe(false));
  });
});

describe('recovery codes', () => {
  it.each([
    [10, null],
    [3, null],
    [2, /^You have only 2 left\. Make new ones/],
    [0, /^You have no recovery codes left\./],
  ])('%i left: %s', async (left, warning) => {
    const app = renderWithMockServer('/app/setting/security');
    withApp(app, left);
    const twoStep = await card('Two-step verification');
    expect(await twoStep.findByText(new RegExp(`^${left} of 10 left`))).toBeInTheDocument();
    if (warning === null) expect(twoStep.queryByText(/Make new ones/)).not.toBeInTheDocument();
    else expect(twoStep.getByText(warning)).toBeInTheDocument();
  });

  it('are replaced, copied and downloaded', async () => {
    const saved: Blob[] = [];
    URL.createObjectURL = (blob) => `blob:${saved.push(blob as Blob)}`;
    URL.revokeObjectURL = () => undefined;
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    const app = renderWithMockServer('/app/setting/security');
    withApp(app, 2);
    const { user, mock } = app;
    const copy = vi.spyOn(navigator.clipboard, 'writeText');
    const twoStep = await card('Two-step verification');
    await user.click(await twoStep.findByRole('button', { name: 'New recovery codes' }));
    const question = within(await screen.findByRole('dialog', { name: 'Make new recovery codes?' }));
    await user.click(question.getByRole('button', { name: 'Make new codes' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Save your recovery codes' }));
    const codes = mock.factors.of(mock.user.userId).recoveryCodes;
    expect(dialog.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(codes);
    await user.click(dialog.getByRole('button', { name: 'Copy' }));
    expect(copy).toHaveBeenCalledWith(codes.join('\n'));
    expect(await dialog.findByRole('button', { name: 'Copied' })).toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'Download' }));
    expect(await saved[0]?.text()).toBe(`${codes.join('\n')}\n`);
    expect(click.mock.contexts[0]).toHaveProperty('download', 'morpion-recovery-codes.txt');
    click.mockRestore();
  });
});

describe('passkeys', () => {
  it('are added with a name, the first with recovery codes', async () => {
    const { create } = stubPasskeys();
    const { user, mock } = renderWithMockServer('/app/setting/security');
    const passkeys = await card('Passkeys');
    await user.click(passkeys.getByRole('button', { name: 'Add a passkey' }));
    await user.type(passkeys.getByLabelText(/Name of the passkey/), ' {Enter}');
    expect(await passkeys.findByText('A passkey needs a name of 1 to 40 characters.')).toBeInTheDocument();
    await user.type(passkeys.getByLabelText(/Name of the passkey/), 'My phone{Enter}');
    const dialog = within(await screen.findByRole('dialog', { name: 'Save your recovery codes' }));
    await user.click(dialog.getByRole('checkbox'));
    await user.click(dialog.getByRole('button', { name: 'Done' }));
    expect(await passkeys.findByText('My phone')).toBeInTheDocument();
    expect(passkeys.getByText(/^Added /)).toBeInTheDocument();
    expect(passkeys.getByText('Not used yet')).toBeInTheDocument();
    expect(create).toHaveBeenCalledOnce();
    expect(mock.factors.of(mock.user.userId).passkeys).toMatchObject([
      { name: 'My phone', credentialId: 'device-key' },
    ]);
    await expectAccessible();
  });

  it.each([
    ['NotAllowedError', 'No passkey was chosen. You can try again.'],
    ['InvalidStateError', 'This device already has a passkey for your account.'],
    ['SecurityError', /This browser cannot use passkeys at this address/],
    ['NotSupportedError', /This device cannot make the kind of passkey/],
  ])('that cannot be made (%s) leave the name as it is and say why', async (fails, text) => {
    stubPasskeys({ fails });
    const { user, mock } = renderWithMockServer('/app/setting/security');
    const passkeys = await card('Passkeys');
    await user.click(passkeys.getByRole('button', { name: 'Add a passkey' }));
    await user.type(passkeys.getByLabelText(/Name of the passkey/), 'My phone{Enter}');
    expect(await passkeys.findByText(text)).toBeInTheDocument();
    expect(passkeys.getByLabelText(/Name of the passkey/)).toHaveValue('My phone');
    expect(mock.factors.of(mock.user.userId).passkeys).toEqual([]);
  });

  it('are renamed, and removed after a question', async () => {
    stubPasskeys();
    const app = renderWithMockServer('/app/setting/security');
    withPasskey(app);
    const { user, mock } = app;
    const passkeys = await card('Passkeys');
    await user.click(await passkeys.findByRole('button', { name: 'Rename My phone' }));
    const name = passkeys.getByLabelText(/Name of the passkey/);
    expect(name).toHaveValue('My phone');
    await user.clear(name);
    await user.type(name, 'Old phone{Enter}');
    await user.click(await passkeys.findByRole('button', { name: 'Remove Old phone' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Remove “Old phone”?' }));
    await user.click(dialog.getByRole('button', { name: 'Keep it' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    await user.click(passkeys.getByRole('button', { name: 'Remove Old phone' }));
    await user.click(await screen.findByRole('button', { name: 'Remove passkey' }));
    await waitFor(() => expect(passkeys.queryByText('Old phone')).not.toBeInTheDocument());
    expect(mock.user.secondFactor).toBe(false);
  });

  it('say why there are none: the server has no name', async () => {
    stubPasskeys();
    const { mock } = renderWithMockServer('/app/setting/security');
    mock.factors.hasName = false;
    const passkeys = await card('Passkeys');
    expect(await passkeys.findByText(/reached by its IP address/)).toBeInTheDocument();
    expect(passkeys.queryByRole('button', { name: 'Add a passkey' })).not.toBeInTheDocument();
  });

  it('say why there are none: the browser cannot use them', async () => {
    renderWithMockServer('/app/setting/security');
    const passkeys = await card('Passkeys');
    expect(passkeys.getByText(/This browser cannot use passkeys at this address/)).toBeInTheDocument();
    expect(passkeys.queryByRole('button', { name: 'Add a passkey' })).not.toBeInTheDocument();
  });
});

describe('the second factor', () => {
  it('that cannot be loaded is asked for again', async () => {
    const { user } = renderWithMockServer('/app/setting/security');
    server.use(http.get('*/api/auth/second-factor', () => failure(503, { errorMessage: 'Not now.' }), { once: true }));
    expect(await screen.findByText('Not now.')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('region', { name: 'Two-step verification' })).toBeInTheDocument();
  });

  it('is not for guests', async () => {
    const { mock } = renderWithMockServer('/app/setting/security');
    mock.update({ isTempUser: true });
    expect(await screen.findByRole('region', { name: 'Where you are signed in' })).toBeInTheDocument();
    expect(screen.queryByRole('region', { name: 'Two-step verification' })).not.toBeInTheDocument();
  });
});

describe('where you are signed in', () => {
  it('lists this device first, with address and times', async () => {
    const { mock } = renderWithMockServer('/app/setting/security');
    mock.accountState.sessions.reverse();
    const devices = await card('Where you are signed in');
    const [first, second] = devices.getAllByRole('listitem');
    expect(first).toHaveTextContent(
      /This browserThis deviceLast used .* from 127\.0\.0\.1Signed in .*, ends .* if not used/,
    );
    expect(second).toHaveTextContent('Firefox on Android');
  });

  it('is ended everywhere else after a question', async () => {
    const { user, mock } = renderWithMockServer('/app/setting/security');
    const devices = await card('Where you are signed in');
    await user.click(devices.getByRole('button', { name: 'Sign out everywhere else' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Sign out everywhere else?' }));
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(mock.accountState.sessions).toHaveLength(2);
    await user.click(devices.getByRole('button', { name: 'Sign out everywhere else' }));
    await user.click(await screen.findByRole('button', { name: 'Sign out the others' }));
    expect(await screen.findByText('You are signed out everywhere else.')).toBeInTheDocument();
    expect(dialog).toBeDefined();
    await waitFor(() => expect(devices.queryByText('Firefox on Android')).not.toBeInTheDocument());
    expect(mock.isSignedIn).toBe(true);
  });

  it('is ended everywhere, and leads to /hello', async () => {
    const { user, mock, at } = renderWithMockServer('/app/setting/security');
    const devices = await card('Where you are signed in');
    await user.click(devices.getByRole('button', { name: 'Sign out everywhere' }));
    await user.click(await screen.findByRole('button', { name: 'Sign out all' }));
    await waitFor(() => expect(at()).toBe('/hello'));
    expect(mock.isSignedIn).toBe(false);
  });

  it('says what failed, and stays signed in', async () => {
    const { user, mock, at } = renderWithMockServer('/app/setting/security');
    server.use(http.post('*/api/auth/sessions/revoke-all', () => failure(503, { errorMessage: 'Not now.' })));
    const devices = await card('Where you are signed in');
    await user.click(devices.getByRole('button', { name: 'Sign out everywhere' }));
    await user.click(await screen.findByRole('button', { name: 'Sign out all' }));
    expect(await devices.findByText('Not now.')).toBeInTheDocument();
    expect(at()).toBe('/app/setting/security');
    expect(mock.isSignedIn).toBe(true);
  });
});
