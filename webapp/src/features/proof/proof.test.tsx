import { screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { describe, expect, it } from 'vitest';
import { expectAccessible } from '@/testing/axe';
import { DEMO, DEMO_ADMIN } from '@/testing/mocks/mockServer';
import { MOCK_TOTP } from '@/testing/mocks/secondFactor';
import { stubPasskeys } from '@/testing/passkeys';
import { renderWithMockServer } from '@/testing/renderWithMockServer';
import { answer, failure, server } from '@/testing/server';

/** The last proof was long ago. */
async function open({ withApp = false, withPasskey = false, hasProvider = false } = {}) {
  const app = renderWithMockServer('/app/setting/security');
  const { mock } = app;
  mock.factors.provedAt = 0;
  mock.factors.hasProvider = hasProvider;
  const factor = mock.factors.of(mock.user.userId);
  factor.totp = withApp;
  if (withApp || withPasskey) factor.recoveryCodes = ['abcd-efgh-ijkm-npqr', 'code-1'];
  if (withPasskey) {
    factor.passkeys.push({
      passkeyId: 'p1',
      credentialId: 'device-key',
      name: 'Phone',
      createdAt: '2026-01-01T00:00:00Z',
    });
  }
  mock.update({ secondFactor: withApp || withPasskey });
  const twoStep = within(await screen.findByRole('region', { name: 'Two-step verification' }));
  return { ...app, twoStep };
}

const dialog = async () => within(await screen.findByRole('dialog', { name: 'Confirm it’s you' }));

describe('a sensitive act', () => {
  it('asks for the password, and is then done by itself', async () => {
    const { user, twoStep } = await open();
    await user.click(twoStep.getByRole('button', { name: 'Set up an app' }));
    const confirm = await dialog();
    const password = await confirm.findByLabelText(/^Your password/);
    expect(password).toHaveFocus();
    expect(password).toHaveAttribute('autocomplete', 'current-password');
    await expectAccessible();
    await user.keyboard('{Enter}');
    expect(await confirm.findByText('Password cannot be empty')).toBeInTheDocument();
    await user.type(password, 'wrong{Enter}');
    expect(await confirm.findByText('That password is wrong.')).toBeInTheDocument();
    await user.clear(password);
    await user.type(password, `${DEMO.password}{Enter}`);
    expect(await twoStep.findByRole('img', { name: /QR code/ })).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  });

  it.each(['{Escape}', 'Cancel'])('that is declined (%s) leaves everything as it was', async (how) => {
    const { user, twoStep, mock } = await open();
    await user.click(twoStep.getByRole('button', { name: 'Set up an app' }));
    const confirm = await dialog();
    await confirm.findByLabelText(/^Your password/);
    if (how === 'Cancel') await user.click(confirm.getByRole('button', { name: how }));
    else await user.keyboard(how);
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    const button = twoStep.getByRole('button', { name: 'Set up an app' });
    await waitFor(() => expect(button).toBeEnabled());
    expect(twoStep.queryByText(/Please confirm that it’s you/)).not.toBeInTheDocument();
    expect(mock.factors.provedAt).toBe(0);
    await user.click(button);
    expect(await screen.findByRole('dialog', { name: 'Confirm it’s you' })).toBeInTheDocument();
  });

  it('keeps what was typed into a form when it is declined', async () => {
    stubPasskeys();
    const { user } = await open();
    const passkeys = within(screen.getByRole('region', { name: 'Passkeys' }));
    await user.click(passkeys.getByRole('button', { name: 'Add a passkey' }));
    await user.type(passkeys.getByLabelText(/Name of the passkey/), 'My phone{Enter}');
    await (await dialog()).findByLabelText(/^Your password/);
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(passkeys.getByLabelText(/Name of the passkey/)).toHaveValue('My phone');
    expect(passkeys.queryByText(/Please confirm that it’s you/)).not.toBeInTheDocument();
  });

  it('takes a code, a recovery code or a passkey instead', async () => {
    stubPasskeys();
    const { user, mock } = await open({ withApp: true, withPasskey: true });
    const renew = async () => {
      mock.factors.provedAt = 0;
      await user.click(await screen.findByRole('button', { name: 'New recovery codes' }));
      await user.click(await screen.findByRole('button', { name: 'Make new codes' }));
      return dialog();
    };
    const save = async () => {
      await user.click(await screen.findByRole('checkbox', { name: 'I have saved these codes' }));
      await user.click(screen.getByRole('button', { name: 'Done' }));
      await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    };
    let confirm = await renew();
    await user.click(await confirm.findByRole('button', { name: 'Use your authenticator app' }));
    await user.type(confirm.getByLabelText(/Code from your authenticator app/), `${MOCK_TOTP}{Enter}`);
    await save();
    confirm = await renew();
    await user.click(await confirm.findByRole('button', { name: 'Use a recovery code' }));
    const [code = ''] = mock.factors.of(mock.user.userId).recoveryCodes;
    await user.type(confirm.getByLabelText(/^Recovery code/), `${code}{Enter}`);
    await save();
    confirm = await renew();
    await user.click(await confirm.findByRole('button', { name: 'Use a passkey' }));
    await user.click(confirm.getByRole('button', { name: 'Use a passkey' }));
    await save();
    expect(mock.factors.of(mock.user.userId).recoveryCodes).toHaveLength(10);
  });

  it('leads accounts of a provider to another sign-in, and back', async () => {
    const { user, mock, twoStep } = await open({ hasProvider: true });
    mock.update({ password: '' });
    await user.click(twoStep.getByRole('button', { name: 'Set up an app' }));
    const link = await (await dialog()).findByRole('link', { name: 'Sign in again with your provider' });
    expect(link).toHaveAttribute('href', '/api/auth/oidc/start');
    await expectAccessible(screen.getByRole('dialog'));
    // jsdom does not navigate, and reports that.
    link.addEventListener('click', (event) => event.preventDefault());
    await user.click(link);
    expect(localStorage.getItem('intendedUrl')).toBe('/app/setting/security');
  });

  it('says so where there is nothing to prove it with', async () => {
    const { user, mock, twoStep } = await open();
    mock.update({ password: '' });
    await user.click(twoStep.getByRole('button', { name: 'Set up an app' }));
    expect(await (await dialog()).findByText(/Nothing is set up that could confirm it/)).toBeInTheDocument();
  });

  it('can be tried again when the ways to prove it cannot be loaded', async () => {
    const { user, twoStep } = await open();
    server.use(http.post('*/api/auth/proof/options', () => failure(503, { errorMessage: 'Not now.' }), { once: true }));
    await user.click(twoStep.getByRole('button', { name: 'Set up an app' }));
    const confirm = await dialog();
    expect(await confirm.findByText('Not now.')).toBeInTheDocument();
    await user.click(confirm.getByRole('button', { name: 'Try again' }));
    expect(await confirm.findByLabelText(/^Your password/)).toBeInTheDocument();
  });

  it('asks once when several calls need a proof, and repeats them all', async () => {
    const { user, store } = await open();
    const { accountApi } = await import('@/api/account');
    let tries = 0;
    server.use(
      http.post('*/api/auth/email/request-code', () => {
        tries += 1;
        return tries <= 2 ? failure(403, { errorCode: 'proof-required' }) : answer({});
      }),
    );
    const both = Promise.all([1, 2].map(() => store.dispatch(accountApi.endpoints.requestEmailCode.initiate({}))));
    const confirm = await dialog();
    await waitFor(() => expect(tries).toBe(2));
    await user.type(await confirm.findByLabelText(/^Your password/), `${DEMO.password}{Enter}`);
    expect((await both).map(({ error }) => error)).toEqual([undefined, undefined]);
    expect(tries).toBe(4);
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });
});

describe('an admin without the second factor that the server asks for', () => {
  it('is led to the set-up and back', async () => {
    const app = renderWithMockServer('/app/admin/users', { asVisitor: true });
    const { user, mock, at } = app;
    mock.signIn(DEMO_ADMIN.email, DEMO_ADMIN.password);
    mock.factors.isRequired = true;
    const notice = within(await screen.findByRole('region', { name: 'Two-step verification' }));
    expect(notice.getByText(/This server requires two-step verification for admins/)).toBeInTheDocument();
    expect(screen.queryByRole('heading', { name: 'People' })).not.toBeInTheDocument();
    await expectAccessible();
    await user.click(notice.getByRole('link', { name: 'Set it up' }));
    expect(at()).toBe('/app/setting/security');
    expect(await screen.findByText(/This server requires one of them for your account/)).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Set up an app' }));
    await user.type(await screen.findByLabelText(/Code from your authenticator app/), `${MOCK_TOTP}{Enter}`);
    await user.click(await screen.findByRole('checkbox', { name: 'I have saved these codes' }));
    await user.click(screen.getByRole('button', { name: 'Done' }));
    await user.click(await screen.findByRole('link', { name: 'Go back' }));
    await waitFor(() => expect(at()).toBe('/app/admin/users'));
    expect(await screen.findByText('bob@example.org')).toBeInTheDocument();
    expect(screen.queryByRole('region', { name: 'Two-step verification' })).not.toBeInTheDocument();
  });
});
