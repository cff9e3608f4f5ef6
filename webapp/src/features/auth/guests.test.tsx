import { act, screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { describe, expect, it } from 'vitest';
import { expectAccessible } from '@/testing/axe';
import { FakeSocket } from '@/testing/FakeSocket';
import { renderWithMockServer } from '@/testing/renderWithMockServer';
import { answer, server } from '@/testing/server';

const PROVIDER = { name: 'Example', issuer: 'https://id.example.org', clientId: 'x', isGoogle: false, nonce: 'n' };

/** Another user's game with an open seat. */
function openGame({ mock }: Pick<ReturnType<typeof renderWithMockServer>, 'mock'>) {
  const bob = mock.find(({ username }) => username === 'bob');
  const game = mock.create(crypto.randomUUID(), [bob], 3);
  return { game, link: `/app/game/${game.gameId}?invite=${game.inviteToken ?? ''}` };
}

describe('guests', () => {
  it('go from the login page straight to practice', async () => {
    const { user, at, mock } = renderWithMockServer('/login', { asVisitor: true });
    await user.click(await screen.findByRole('button', { name: 'Play as a guest' }));
    await waitFor(() => expect(at()).toBe('/app/practice'));
    expect(mock.user.isTempUser).toBe(true);
  });

  it('are not offered where the server does not allow them', async () => {
    const app = renderWithMockServer('/register', { asVisitor: true });
    await screen.findByRole('button', { name: 'Play as a guest' });
    app.unmount();
    renderWithMockServer('/login', { asVisitor: true });
    server.use(
      http.get('*/api/auth/providers', () => answer({ local: true, registration: true, guests: false, mail: false })),
    );
    await screen.findByRole('heading', { name: 'Welcome back' });
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Play as a guest' })).not.toBeInTheDocument());
  });

  it('can play at once from an invite link', async () => {
    const app = renderWithMockServer('/hello', { asVisitor: true });
    await screen.findByRole('heading', { name: 'Game Modes' });
    const { game, link } = openGame(app);
    await app.router.navigate(link);
    await waitFor(() => expect(FakeSocket.all).toHaveLength(1));
    FakeSocket.last.open();
    await waitFor(() => expect(game.seats).toHaveLength(2));
    expect(game.seats[1]?.userId).toBe(app.mock.user.userId);
    expect(app.mock.user.isTempUser).toBe(true);
    expect(app.at()).toBe(`/app/game/${game.gameId}`);
  });

  it('must sign in to use an invite link where guests are not allowed', async () => {
    const app = renderWithMockServer('/hello', { asVisitor: true });
    server.use(
      http.get('*/api/auth/providers', () => answer({ local: true, registration: true, guests: false, mail: false })),
    );
    const { link } = openGame(app);
    await app.router.navigate(link);
    await waitFor(() => expect(app.at()).toBe('/login'));
    expect(localStorage.getItem('intendedUrl')).toBe(link);
  });

  it('are warned what a sign-out deletes, and how to keep it', async () => {
    const { user, at, mock } = renderWithMockServer('/login', { asVisitor: true });
    await user.click(await screen.findByRole('button', { name: 'Play as a guest' }));
    await waitFor(() => expect(at()).toBe('/app/practice'));
    await user.click(await screen.findByRole('button', { name: 'Log Out' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Sign out as a guest?' }));
    expect(dialog.getByText(mock.user.displayName)).toBeInTheDocument();
    expect(dialog.getByRole('link', { name: 'Create an account' })).toHaveAttribute('href', '/register');
    expect(mock.isSignedIn).toBe(true);
    await user.click(dialog.getByRole('button', { name: 'Sign out' }));
    await waitFor(() => expect(at()).toBe('/hello'));
    expect(mock.isSignedIn).toBe(false);
  });

  it('can take their games over when they sign in to an account', async () => {
    const { user, mock } = renderWithMockServer('/login', { asVisitor: true });
    await user.click(await screen.findByRole('button', { name: 'Play as a guest' }));
    await user.click(await screen.findByRole('link', { name: 'Home' }));
    const guest = mock.user;
    mock.create(crypto.randomUUID(), [guest], 3);
    await user.click(await screen.findByRole('link', { name: 'Keep your name: create an account' }));
    await user.click(await screen.findByRole('link', { name: 'Sign In' }));
    const wish = await screen.findByRole('checkbox', { name: 'Keep the game I played as a guest' });
    expect(wish).toBeChecked();
    await user.type(screen.getByLabelText(/^Email/), 'ada@example.org');
    await user.type(screen.getByLabelText(/^Password/), 'Chalk-and-1nk{Enter}');
    await screen.findByRole('heading', { name: 'Welcome, ada!' });
    expect(mock.games(mock.user.userId)).toHaveLength(1);
  });

  it('keep their identity when they create an account', async () => {
    const { user, at, mock } = renderWithMockServer('/login', { asVisitor: true });
    await user.click(await screen.findByRole('button', { name: 'Play as a guest' }));
    await screen.findByRole('heading', { name: 'Practice' });
    const guest = mock.user;
    expect(screen.getByRole('complementary', { name: 'Guest' })).toHaveTextContent(guest.displayName);
    await expectAccessible();
    await user.click(screen.getByRole('link', { name: 'Keep your name: create an account' }));
    expect(await screen.findByText(/Your name, your games and the people you played with stay yours/)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Play as a guest' })).not.toBeInTheDocument();
    await user.type(screen.getByLabelText(/^Username/), 'eve');
    await user.type(screen.getByLabelText(/^Email/), 'eve@example.org');
    await user.type(screen.getByLabelText(/^Password/), 'Paper-and-1nk{Enter}');
    await waitFor(() => expect(at()).toBe('/app/accountSetup'));
    expect(mock.user).toMatchObject({ userId: guest.userId, displayName: guest.displayName, isTempUser: false });
    expect(screen.queryByRole('complementary', { name: 'Guest' })).not.toBeInTheDocument();
  });

  it('are offered nothing that is refused to them, and are told what is lost', async () => {
    const { user, mock, router } = renderWithMockServer('/login', { asVisitor: true });
    await user.click(await screen.findByRole('button', { name: 'Play as a guest' }));
    await screen.findByRole('heading', { name: 'Practice' });
    for (let game = 0; game < 2; game++) mock.create(crypto.randomUUID(), [mock.user], 3);
    await act(() => router.navigate('/app/setting/edit'));
    expect(await screen.findByText(/Your name and your 2 games are lost when you sign out/)).toBeInTheDocument();
    for (const name of ['Upload picture', 'Save', 'Change username']) {
      expect(screen.queryByRole('button', { name })).not.toBeInTheDocument();
    }
    expect(screen.getByRole('link', { name: 'Create an account' })).toHaveAttribute('href', '/register');
    await expectAccessible();
    const mayClose = () => window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    expect(mayClose()).toBe(false);
    await act(() => router.navigate('/app/ratings'));
    await screen.findByRole('heading', { name: 'Rating list' });
    expect(screen.queryByRole('link', { name: 'Play a rated game' })).not.toBeInTheDocument();
    expect(mayClose(), 'only the page of the account asks').toBe(true);
    server.use(
      http.get('*/api/auth/providers', () => answer({ local: true, provider: { ...PROVIDER, calendar: true } })),
    );
    await act(() => router.navigate('/app/setting/preferences'));
    await screen.findByRole('heading', { name: 'Look and sound' });
    expect(screen.queryByText(/calendar/i, { selector: 'button' })).not.toBeInTheDocument();
  });
});
