import { screen, waitFor } from '@testing-library/react';
import { http } from 'msw';
import { describe, expect, it } from 'vitest';
import { expectAccessible } from '@/testing/axe';
import { DEMO } from '@/testing/mocks/mockServer';
import { MOCK_TOTP } from '@/testing/mocks/secondFactor';
import { stubPasskeys } from '@/testing/passkeys';
import { renderWithMockServer } from '@/testing/renderWithMockServer';
import { failure, server } from '@/testing/server';

type App = ReturnType<typeof renderWithMockServer>;

/** Ada's account gets this second factor. */
function withFactor({ mock }: App, { totp = true, passkey = false } = {}): string {
  const { userId } = mock.find(({ username }) => username === 'ada');
  const factor = mock.factors.of(userId);
  factor.totp = totp;
  factor.recoveryCodes = ['abcd-efgh-ijkm-npqr'];
  if (passkey) {
    factor.passkeys.push({
      passkeyId: 'p1',
      credentialId: 'device-key',
      name: 'Phone',
      createdAt: '2026-01-01T00:00:00Z',
    });
  }
  mock.setSecondFactor(userId, true);
  return userId;
}

async function signIn({ user }: App): Promise<void> {
  await user.type(await screen.findByLabelText(/^Email/), DEMO.email);
  await user.type(screen.getByLabelText(/^Password/), `${DEMO.password}{Enter}`);
  await screen.findByRole('heading', { name: 'Two-step verification' });
}

describe('the second step', () => {
  it('asks for a code, and continues where the user wanted to go', async () => {
    const app = renderWithMockServer('/app/setting/preferences', { asVisitor: true });
    withFactor(app);
    const { user, at, mock, router } = app;
    await signIn(app);
    expect(router.state.location.search).toBe('?step=second-factor');
    expect(mock.isSignedIn).toBe(false);
    const code = await screen.findByLabelText(/Code from your authenticator app/);
    expect(code).toHaveFocus();
    expect(code).toHaveAttribute('inputmode', 'numeric');
    expect(code).toHaveAttribute('autocomplete', 'one-time-code');
    await expectAccessible();
    await user.keyboard('12{Enter}');
    expect(await screen.findByText('The code has 6 digits.')).toBeInTheDocument();
    await user.clear(code);
    await user.type(code, '000000{Enter}');
    expect(await screen.findByText('That code is wrong or was used already.')).toBeInTheDocument();
    await user.clear(code);
    await user.type(code, `${MOCK_TOTP}{Enter}`);
    await waitFor(() => expect(at()).toBe('/app/setting/preferences'));
    expect(mock.user.username).toBe('ada');
  });

  it('takes a recovery code, by the keyboard alone', async () => {
    const app = renderWithMockServer('/login', { asVisitor: true });
    const userId = withFactor(app);
    const { user, at, mock } = app;
    await signIn(app);
    await screen.findByLabelText(/Code from your authenticator app/);
    await user.tab();
    await user.tab();
    expect(screen.getByRole('button', { name: 'Use a recovery code' })).toHaveFocus();
    await user.keyboard('{Enter}');
    expect(await screen.findByLabelText(/^Recovery code/)).toHaveFocus();
    await user.keyboard('{Enter}');
    expect(await screen.findByText('Please enter a recovery code.')).toBeInTheDocument();
    await user.type(screen.getByLabelText(/^Recovery code/), 'ABCD-efgh-ijkm-npqr{Enter}');
    await waitFor(() => expect(at()).toBe('/app/home'));
    expect(mock.factors.of(userId).recoveryCodes).toEqual([]);
  });

  it('takes a passkey', async () => {
    const { get } = stubPasskeys();
    const app = renderWithMockServer('/login', { asVisitor: true });
    withFactor(app, { passkey: true });
    const { user, at } = app;
    await signIn(app);
    await user.click(await screen.findByRole('button', { name: 'Use a passkey' }));
    await user.click(await screen.findByRole('button', { name: 'Use a passkey' }));
    await waitFor(() => expect(at()).toBe('/app/home'));
    expect(get.mock.calls[0]?.[0].publicKey).toMatchObject({ allowCredentials: [{ id: 'device-key' }] });
  });

  it('that takes too long leads back with a message', async () => {
    const app = renderWithMockServer('/login', { asVisitor: true });
    withFactor(app);
    const { user, mock, router } = app;
    await signIn(app);
    const code = await screen.findByLabelText(/Code from your authenticator app/);
    mock.factors.pending = undefined;
    await user.type(code, `${MOCK_TOTP}{Enter}`);
    await waitFor(() => {
      expect(router.state.location.search).toBe('?error=sign-in-expired');
    });
    expect(await screen.findByText(/This sign-in took too long or had too many wrong tries/)).toBeInTheDocument();
    expect(screen.getByRole('heading', { name: 'Welcome back' })).toBeInTheDocument();
  });

  it('without a sign-in before it leads back as well', async () => {
    renderWithMockServer('/login?step=second-factor', { asVisitor: true });
    expect(await screen.findByText(/This sign-in took too long/)).toBeInTheDocument();
  });

  it('that cannot be loaded can be tried again, or left', async () => {
    const app = renderWithMockServer('/login', { asVisitor: true });
    withFactor(app);
    const { user, router } = app;
    server.use(
      http.post('*/api/auth/second-factor/options', () => failure(503, { errorMessage: 'Not now.' }), { once: true }),
    );
    await signIn(app);
    expect(await screen.findByText('Not now.')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByLabelText(/Code from your authenticator app/)).toBeInTheDocument();
    await user.click(screen.getByRole('link', { name: 'Back to sign-in' }));
    expect(await screen.findByRole('heading', { name: 'Welcome back' })).toBeInTheDocument();
    expect(router.state.location.search).toBe('');
  });

  it('brings the games of a guest along', async () => {
    const app = renderWithMockServer('/login', { asVisitor: true });
    withFactor(app);
    const { user, mock, at } = app;
    const guest = mock.addGuest();
    const bob = mock.find(({ username }) => username === 'bob');
    mock.create(crypto.randomUUID(), [guest, bob], 3);
    expect(await screen.findByRole('checkbox', { name: /game I played as a guest/ })).toBeChecked();
    await signIn(app);
    await user.type(await screen.findByLabelText(/Code from your authenticator app/), `${MOCK_TOTP}{Enter}`);
    await waitFor(() => expect(at()).toBe('/app/home'));
    expect(mock.user.username).toBe('ada');
    expect(mock.games(mock.user.userId)).toHaveLength(1);
  });
});

describe('a passkey alone', () => {
  it('signs in by the button', async () => {
    stubPasskeys();
    const app = renderWithMockServer('/login', { asVisitor: true });
    withFactor(app, { passkey: true });
    await app.user.click(await screen.findByRole('button', { name: 'Sign in with a passkey' }));
    await waitFor(() => expect(app.at()).toBe('/app/home'));
    expect(app.mock.user.username).toBe('ada');
  });

  it('signs in by the browser’s suggestion', async () => {
    const { get } = stubPasskeys({ suggests: true });
    const app = renderWithMockServer('/login', { asVisitor: true });
    withFactor(app, { passkey: true });
    await waitFor(() => expect(app.at()).toBe('/app/home'));
    expect(get.mock.calls[0]?.[0]).toMatchObject({ mediation: 'conditional' });
  });

  it.each([
    ['is not known', undefined, 'This passkey was not accepted.'],
    ['is not chosen', 'NotAllowedError', 'No passkey was chosen. You can try again.'],
  ])('that %s says so', async (_name, fails, text) => {
    stubPasskeys({ credentialId: 'another', ...(fails === undefined ? {} : { fails }) });
    const { user, at } = renderWithMockServer('/login', { asVisitor: true });
    await user.click(await screen.findByRole('button', { name: 'Sign in with a passkey' }));
    expect(await screen.findByText(text)).toBeInTheDocument();
    expect(at()).toBe('/login');
  });

  it('is not offered where the server has no name or the browser cannot', async () => {
    const { mock } = renderWithMockServer('/login', { asVisitor: true });
    expect(mock.factors.hasName).toBe(true);
    await screen.findByRole('button', { name: 'Sign in' });
    expect(screen.queryByRole('button', { name: 'Sign in with a passkey' })).not.toBeInTheDocument();
  });
});
