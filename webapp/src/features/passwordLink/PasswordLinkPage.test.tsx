import { screen, waitFor } from '@testing-library/react';
import { http } from 'msw';
import { describe, expect, it } from 'vitest';
import { expectAccessible } from '@/testing/axe';
import { DEMO } from '@/testing/mocks/mockServer';
import { renderWithMockServer } from '@/testing/renderWithMockServer';
import { failure, server } from '@/testing/server';
// Imported here, so that loading does not count towards the time-out of the first test.
import './PasswordLinkPage';

const NEW_PASSWORD = 'Paper-and-1nk';
const TOKEN = 'the-token-of-the-link';

async function openLink({ asVisitor = true } = {}) {
  const app = renderWithMockServer(`/new-password#${TOKEN}`, { asVisitor });
  const { userId } = app.mock.find(({ email }) => email === DEMO.email);
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
    expect(await screen.findByText('Your password is changed. Sign in with it now.')).toBeInTheDocument();
    expect(mock.signIn(DEMO.email, NEW_PASSWORD)).toBe(true);
    expect(mock.accountState.passwordLink).toBeUndefined();
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
