import { screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { describe, expect, it } from 'vitest';
import { expectAccessible } from '@/testing/axe';
import { DEMO } from '@/testing/mocks/mockServer';
import { stubPasskeys } from '@/testing/passkeys';
import { renderWithMockServer } from '@/testing/renderWithMockServer';
import { failure, server } from '@/testing/server';
// Imported here, so that loading does not count towards the time-out of the first test.
import './PasswordLinkPage';

const NEW_PASSWORD = 'Paper-and-1nk';
const TOKEN = 'the-token-of-the-link';

async function openLink({ asVisitor = true, hasFactor = false } = {}) {
  const app = renderWithMockServer(`/new-password#${TOKEN}`, { asVisitor });
  const { userId } = app.mock.find(({ email }) => email === DEMO.email);
  if (hasFactor) app.mock.factors.of(userId).totp = true;
  app.mock.accountState.passwordLink = { token: TOKEN, userId, endsFactors: false };
  await screen.findByRole('heading', { name: 'Set a new password' });
  return app;
}

async function fill({ user }: Pick<Awaited<ReturnType<typeof openLink>>, 'user'>) {
  await user.type(screen.getByLabelText(/^New password/), NEW_PASSWORD);
  await user.type(screen.getByLabelText(/^Retype the new password/), `${NEW_PASSWORD}{Enter}`);
}

describe('a one-time link', () => {
  it('says whose password it sets, and sets it', async () => {
    const { user, at, mock } = await openLink();
    expect(screen.getByText('ada')).toBeInTheDocument();
    await expectAccessible();
    expect(mock.signIn(DEMO.email, DEMO.password)).toBe(true);
    mock.signOut();
    await fill({ user });
    await waitFor(() => expect(at()).toBe('/login'));
    expect(await screen.findByText('Your password has been changed. Please sign in with it.')).toBeInTheDocument();
    expect(screen.getByLabelText(/^Email/)).toHaveValue('ada');
    expect(mock.signIn(DEMO.email, NEW_PASSWORD)).toBe(true);
    expect(mock.accountState.passwordLink).toBeUndefined();
  });

  it('makes a passkey in place of the password', async () => {
    stubPasskeys();
    const { user, at, mock } = await openLink();
    await user.click(screen.getByRole('button', { name: 'Make a passkey instead' }));
    expect(await screen.findByRole('heading', { name: 'Make a passkey' })).toBeInTheDocument();
    await expectAccessible();
    await user.type(screen.getByLabelText(/^Name of the passkey/), 'My phone{Enter}');
    const dialog = await screen.findByRole('dialog', { name: 'Save your recovery codes' });
    expect(within(dialog).getAllByRole('listitem')).toHaveLength(10);
    await user.click(within(dialog).getByLabelText('I have saved these codes'));
    await user.click(within(dialog).getByRole('button', { name: 'Done' }));
    await waitFor(() => expect(at()).toBe('/login'));
    expect(await screen.findByText('Your passkey is added. Sign in with it now.')).toBeInTheDocument();
    const { userId } = mock.find(({ email }) => email === DEMO.email);
    expect(mock.factors.of(userId).passkeys).toMatchObject([{ name: 'My phone' }]);
    expect(mock.signIn(DEMO.email, DEMO.password)).toBe(false);
  });

  it('goes back from a passkey to the password, and says when the link is over', async () => {
    stubPasskeys();
    const { user, mock } = await openLink();
    await user.click(screen.getByRole('button', { name: 'Make a passkey instead' }));
    await user.click(await screen.findByRole('button', { name: 'Cancel' }));
    await user.click(await screen.findByRole('button', { name: 'Make a passkey instead' }));
    mock.accountState.passwordLink = undefined;
    await user.type(await screen.findByLabelText(/^Name of the passkey/), 'My phone{Enter}');
    expect(await screen.findByRole('heading', { name: 'This link no longer works' })).toBeInTheDocument();
  });

  it('offers no passkey where a second factor stays', async () => {
    stubPasskeys();
    const { mock } = await openLink({ hasFactor: true });
    expect(screen.queryByRole('button', { name: 'Make a passkey instead' })).toBeNull();
    expect(mock.accountState.passwordLink).toBeDefined();
  });

  it('signs its owner out here, too', async () => {
    const { user, at } = await openLink({ asVisitor: false });
    await fill({ user });
    await waitFor(() => expect(at()).toBe('/login'));
  });

  it('that is used up says so, at once and when it was used meanwhile', async () => {
    const { user, mock } = await openLink();
    mock.accountState.passwordLink = undefined;
    await fill({ user });
    expect(await screen.findByRole('heading', { name: 'This link no longer works' })).toBeInTheDocument();
    await expectAccessible();
  });

  it.each(['', '#', '#x'])('with the token %j does not work', async (hash) => {
    renderWithMockServer(`/new-password${hash}`, { asVisitor: true });
    expect(await screen.findByRole('heading', { name: 'This link no longer works' })).toBeInTheDocument();
  });

  it('is checked again after a failure', async () => {
    const { user } = renderWithMockServer(`/new-password#${TOKEN}`, { asVisitor: true });
    // The mock's handlers came later: this one is asked first.
    server.use(http.post('*/api/auth/password-link', () => failure(503, { errorMessage: 'Busy.' }), { once: true }));
    expect(await screen.findByText('Busy.')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('heading', { name: 'This link no longer works' })).toBeInTheDocument();
  });
});
