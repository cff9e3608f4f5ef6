import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { dateTime } from '@/shared/events/times';
import { rememberUser } from '@/shared/session/storedSession';
import { expectAccessible } from '@/testing/axe';
import { DEMO } from '@/testing/mocks/mockServer';
import { MOCK_TOTP } from '@/testing/mocks/secondFactor';
import { stubPasskeys } from '@/testing/passkeys';
import { renderWithMockServer } from '@/testing/renderWithMockServer';
import { ada } from '@/testing/server';

type App = ReturnType<typeof renderWithMockServer>;

const UNTIL = '2099-01-31T12:00:00.000Z';

function suspend({ mock }: App, until?: string): string {
  const { userId } = mock.find(({ username }) => username === 'ada');
  const suspension = { reason: 'Stalls.', at: new Date().toISOString(), ...(until === undefined ? {} : { until }) };
  mock.change(userId, { suspension });
  return userId;
}

async function signIn({ user }: App): Promise<void> {
  await user.type(await screen.findByLabelText(/^Email/), DEMO.email);
  await user.type(screen.getByLabelText(/^Password/), `${DEMO.password}{Enter}`);
}

const isTold = () => screen.findByRole('heading', { name: 'Account suspended' });

describe('somebody who is suspended', () => {
  it('is told why, until when in local time, and whom to ask, after the right password', async () => {
    const app = renderWithMockServer('/login', { asVisitor: true });
    suspend(app, UNTIL);
    await signIn(app);
    await isTold();
    const told = screen.getByRole('alert');
    expect(told).toHaveTextContent('Stalls.');
    expect(told).toHaveTextContent(dateTime(UNTIL));
    expect(told.querySelector('time')).toHaveAttribute('datetime', UNTIL);
    expect(await screen.findByRole('link', { name: 'operator@example.org' })).toBeInTheDocument();
    expect(screen.queryByLabelText(/^Password/)).not.toBeInTheDocument();
    await expectAccessible();
    await app.user.click(screen.getByRole('link', { name: 'Back to sign-in' }));
    expect(await screen.findByRole('heading', { name: 'Welcome back' })).toBeInTheDocument();
  });

  it('is told that no end is set', async () => {
    const app = renderWithMockServer('/login', { asVisitor: true });
    suspend(app);
    await signIn(app);
    await isTold();
    expect(screen.getByRole('alert')).toHaveTextContent('No end date');
  });

  it('is told nothing before the second factor is right', async () => {
    const app = renderWithMockServer('/login', { asVisitor: true });
    const { userId } = app.mock.find(({ username }) => username === 'ada');
    app.mock.factors.of(userId).totp = true;
    app.mock.setSecondFactor(userId, true);
    await signIn(app);
    const code = await screen.findByLabelText(/Code from your authenticator app/);
    suspend(app, UNTIL);
    await app.user.type(code, `${MOCK_TOTP}{Enter}`);
    await isTold();
    expect(screen.getByRole('alert')).toHaveTextContent('Stalls.');
  });

  it('is told with a passkey', async () => {
    stubPasskeys();
    const app = renderWithMockServer('/login', { asVisitor: true });
    const userId = suspend(app, UNTIL);
    app.mock.factors.of(userId).passkeys.push({
      passkeyId: 'p1',
      credentialId: 'device-key',
      name: 'Phone',
      createdAt: '2026-01-01T00:00:00Z',
    });
    await app.user.click(await screen.findByRole('button', { name: 'Sign in with a passkey' }));
    await isTold();
    expect(screen.getByRole('alert')).toHaveTextContent('Stalls.');
  });

  it('is pointed to the email after the redirect of a provider', async () => {
    renderWithMockServer('/login?error=suspended', { asVisitor: true });
    await isTold();
    expect(screen.getByRole('alert')).toHaveTextContent('We sent the account’s owner an email');
  });
});

describe('a page whose session has ended', () => {
  it.each([
    [false, /^Your session has ended\. Please sign in again\.$/],
    [true, /^Your session as a guest has ended/],
  ])('of a guest (%s) says so at the sign-in', async (isGuest, text) => {
    rememberUser({ ...ada, isTempUser: isGuest });
    const { at } = renderWithMockServer('/app/home', { asVisitor: true });
    await waitFor(() => expect(at()).toBe('/login'));
    expect(await screen.findByText(text)).toBeInTheDocument();
  });
});
