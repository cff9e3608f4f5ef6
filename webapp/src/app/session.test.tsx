import { act, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { FakeSocket } from '@/testing/FakeSocket';
import { renderApp } from '@/testing/renderApp';
import { actions, ada, answer, failure, server, signedInAsAda, visitor } from '@/testing/server';
import { LEVEL_KEY } from '@/features/practice/levels';
import { CALL_KEY, SOUND_KEY } from '@/shared/board/sound';
import { log, type ProblemReport } from '@/shared/log';
import { addRecentPerson } from '@/shared/recentPeople';
import { signedOut } from '@/shared/session/sessionSlice';
import { STORAGE_KEYS } from '@/shared/storage';
import { isSigningOut, SIGN_OUT_KEY, storeSignOut, rememberUser } from '@/shared/session/storedSession';
import { THEME_KEY } from '@/shared/theme/themeSlice';
import { checkLogin } from './checkLogin';
import { SPLASH_REDIRECT_MS } from './screens/StartScreen';
import { REFRESH_INTERVAL_MS } from './SessionManager';

const noGames = actions('game', { get_games_by_user: () => answer({ games: [] }) });

beforeEach(() => vi.spyOn(console, 'warn').mockImplementation(() => undefined));
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('visitors', () => {
  beforeEach(() => server.use(...visitor));

  it('see the landing page at /', async () => {
    const { at } = renderApp('/');
    expect(await screen.findByRole('heading', { name: 'Game Modes' })).toBeInTheDocument();
    for (const mode of ['Practice with AI', 'Local Multiplayer', 'Tournaments & Events']) {
      expect(screen.getByRole('heading', { name: mode }).closest('a')).toHaveAttribute('href', '/register');
    }
    expect(screen.getByRole('heading', { name: 'Ready to Compete?' })).toBeInTheDocument();
    expect(at()).toBe('/');
  });

  it('are redirected from the splash screen to /hello', async () => {
    const { at } = renderApp('/app');
    expect(SPLASH_REDIRECT_MS).toBe(100);
    await waitFor(() => expect(at()).toBe('/hello'));
  });

  it('are sent to the sign-in, and the wanted page is stored under intendedUrl', async () => {
    const { at } = renderApp('/app/practice/remote?x=1');
    expect(await screen.findByRole('heading', { name: 'Welcome back' })).toBeInTheDocument();
    expect(at()).toBe('/login');
    expect(localStorage.getItem('intendedUrl')).toBe('/app/practice/remote?x=1');
  });

  it('see the 404 page at an unknown address', async () => {
    renderApp('/nowhere');
    expect(await screen.findByText("We can't seem to find the page you're looking for")).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Back to Homepage' })).toHaveAttribute('href', '/');
  });

  it('see no private page, whatever the storage contains', async () => {
    localStorage.setItem('intendedUrl', '//elsewhere.example');
    renderApp('/login');
    await screen.findByRole('heading', { name: 'Welcome back' });
  });
});

describe('the signed-in', () => {
  beforeEach(() => server.use(...signedInAsAda, ...noGames.handlers));

  it.each(['/', '/app', '/login', '/register'])('are redirected from %s to /app/home', async (path) => {
    const { at } = renderApp(path);
    expect(await screen.findByRole('heading', { name: 'Welcome, Ada!' })).toBeInTheDocument();
    expect(at()).toBe('/app/home');
  });

  it('are redirected to the page they wanted, once', async () => {
    localStorage.setItem('intendedUrl', '/app/practice/remote');
    const { at } = renderApp('/login');
    expect(await screen.findByRole('heading', { name: 'Invite Friend' })).toBeInTheDocument();
    expect(at()).toBe('/app/practice/remote');
    expect(localStorage.getItem('intendedUrl')).toBeNull();
  });

  it('who come back from a provider find the join code that they had', async () => {
    localStorage.setItem('intendedUrl', '/join#ABCD-EFGH-JKMN-PQRS');
    renderApp('/login');
    expect(await screen.findByLabelText('Join code')).toHaveValue('ABCD-EFGH-JKMN-PQRS');
  });

  it.each(['//elsewhere.example', '/join/../elsewhere', '/join#//elsewhere.example', '/joined', '/app/\\\\elsewhere'])(
    'are not redirected to %j',
    async (url) => {
      localStorage.setItem('intendedUrl', url);
      const { at } = renderApp('/login');
      expect(await screen.findByRole('heading', { name: 'Welcome, Ada!' })).toBeInTheDocument();
      expect(at()).toBe('/app/home');
    },
  );

  it('authenticate on the realtime channel', async () => {
    renderApp('/app/home');
    await waitFor(() => expect(FakeSocket.all).toHaveLength(1));
    FakeSocket.last.open();
    expect(FakeSocket.last.sent[0]).toEqual({ event: 'authenticate', data: { userId: ada.userId } });
  });

  it('reload the page when the server asks all clients to check their session', async () => {
    const { reload } = renderApp('/app/home');
    await waitFor(() => expect(FakeSocket.all).toHaveLength(1));
    FakeSocket.last.open();
    FakeSocket.last.receive('check-everone-login-activity', {});
    expect(reload).toHaveBeenCalledOnce();
  });

  it.each(['/app/home', '/app/puzzle', '/app/game/g1?invite=i1'])(
    'are told on %s why their account was suspended, without a reload',
    async (path) => {
      const { at, reload, user } = renderApp(path);
      await waitFor(() => expect(FakeSocket.all).toHaveLength(1));
      FakeSocket.last.open();
      server.use(...visitor);
      const suspension = { reason: 'Insults in a name.', at: '2026-01-01T00:00:00Z' };
      FakeSocket.last.receive('check-everone-login-activity', { suspension });
      expect(await screen.findByRole('heading', { name: 'Account suspended' })).toBeInTheDocument();
      expect(screen.getByRole('alert')).toHaveTextContent('Insults in a name.');
      expect(at()).toBe('/login');
      expect(reload).not.toHaveBeenCalled();
      expect(FakeSocket.last.readyState).toBe(WebSocket.CLOSED);
      await user.click(screen.getByRole('link', { name: 'Back to sign-in' }));
      expect(await screen.findByRole('heading', { name: 'Welcome back' })).toBeInTheDocument();
    },
  );

  it.each([
    [{ errorCode: 'event-ended', message: 'The event has ended.', event: 'joinEventRoom' }, 'only noted', 0],
    [{ errorCode: 'unknown-event', message: "Unknown event 'join'.", event: 'join' }, 'told to the admins', 1],
    [{ errorCode: 'malformed-frame', message: 'A frame is {…}.' }, 'told to the admins', 1],
  ])('are not disturbed by %j: it is %s', async (error, _what, told) => {
    const problems: ProblemReport[] = [];
    onTestFinished(log.listen((problem) => problems.push(problem)));
    renderApp('/app/home');
    await waitFor(() => expect(FakeSocket.all).toHaveLength(1));
    FakeSocket.last.open();
    FakeSocket.last.receive('error', error);
    expect(console.warn).toHaveBeenCalledWith('Realtime error', error);
    expect(problems).toHaveLength(told);
  });

  it('are redirected to /hello when they sign out, without an intended page', async () => {
    server.use(http.post('*/api/auth/logout', () => answer({})));
    const { user, at } = renderApp('/app/home');
    await user.click(await screen.findByRole('button', { name: 'Log Out' }));
    await waitFor(() => expect(at()).toBe('/hello'));
    await screen.findByRole('heading', { name: 'Game Modes' });
    expect(localStorage.getItem('intendedUrl')).toBeNull();
    expect(FakeSocket.last.readyState).toBe(WebSocket.CLOSED);
  });

  it('leave no personal data in the browser when they sign out', async () => {
    server.use(http.post('*/api/auth/logout', () => answer({})));
    localStorage.setItem('intendedUrl', '/app/practice/remote');
    addRecentPerson({ userId: 'b0b', username: 'bob' });
    sessionStorage.setItem('morpion_practice_ai', '{}');
    localStorage.setItem('whatever_comes_next', '{}');
    const choices = [THEME_KEY, SOUND_KEY, CALL_KEY, LEVEL_KEY, STORAGE_KEYS.alerts, STORAGE_KEYS.puzzles];
    for (const key of choices) localStorage.setItem(key, 'true');
    const { user, at, store } = renderApp('/app/home');
    await user.click(await screen.findByRole('button', { name: 'Log Out' }));
    await waitFor(() => expect(at()).toBe('/hello'));
    expect(Object.keys(localStorage).sort()).toEqual([...choices, SIGN_OUT_KEY].sort());
    expect(Object.keys(sessionStorage)).toEqual([]);
    await waitFor(() =>
      expect(store.getState().session).toMatchObject({ user: null, intendedUrl: null, hasSignedOut: false }),
    );
  });

  it('are signed out once although the end of the session is announced twice', async () => {
    const { at, store } = renderApp('/app/home');
    await screen.findByRole('button', { name: 'Log Out' });
    act(() => {
      store.dispatch(signedOut({ hasSignedOut: true }));
      store.dispatch(signedOut({ hasSignedOut: false }));
    });
    await waitFor(() => expect(at()).toBe('/hello'));
  });

  it('do not see the notice caused by their own sign-out', async () => {
    const { user, at, reload } = renderApp('/app/home');
    await waitFor(() => expect(FakeSocket.all).toHaveLength(1));
    FakeSocket.last.open();
    server.use(
      http.post('*/api/auth/logout', () => {
        FakeSocket.last.receive('check-everone-login-activity', {});
        return answer({});
      }),
    );
    await user.click(await screen.findByRole('button', { name: 'Log Out' }));
    await waitFor(() => expect(at()).toBe('/hello'));
    expect(reload).not.toHaveBeenCalled();
  });

  it.each([
    ['refuses', () => failure(503, { errorMessage: 'Busy.' }), 'You are still signed in. Busy.'],
    [
      'is not reached',
      () => HttpResponse.error(),
      'You are still signed in. Network error. Please check your connection.',
    ],
  ])('stay signed in, and are told so, when the server %s', async (_what, respond, text) => {
    server.use(http.post('*/api/auth/logout', respond));
    const { user, at } = renderApp('/app/home');
    await waitFor(() => expect(FakeSocket.all).toHaveLength(1));
    await user.click(await screen.findByRole('button', { name: 'Log Out' }));
    expect(await screen.findByText(text)).toBeInTheDocument();
    await waitFor(() => expect(FakeSocket.all).toHaveLength(2));
    expect(at()).toBe('/app/home');
    expect(isSigningOut()).toBe(false);
  });

  it.each([
    ['hears of it from the other tab', (key: string) => window.dispatchEvent(new StorageEvent('storage', { key }))],
    ['hears of it from the server first', () => FakeSocket.last.receive('check-everone-login-activity', {})],
  ])('are signed out in a tab that %s', async (_how, hear) => {
    const { at, reload } = renderApp('/app/practice/remote');
    await waitFor(() => expect(FakeSocket.all).toHaveLength(1));
    FakeSocket.last.open();
    server.use(...visitor);
    storeSignOut('left');
    hear(SIGN_OUT_KEY);
    await waitFor(() => expect(at()).toBe('/hello'));
    expect(reload).not.toHaveBeenCalled();
    expect(localStorage.getItem('intendedUrl')).toBeNull();
  });

  it('are signed out in a tab that learns of the end from the server and of the reason only while it reloads', async () => {
    const { at, reload, unmount } = renderApp('/app/practice/remote');
    await waitFor(() => expect(FakeSocket.all).toHaveLength(1));
    FakeSocket.last.open();
    server.use(...visitor);
    FakeSocket.last.receive('check-everone-login-activity', {});
    expect(reload).toHaveBeenCalledOnce();
    storeSignOut('left');
    act(() => void window.dispatchEvent(new StorageEvent('storage', { key: SIGN_OUT_KEY })));
    expect(at()).toBe('/app/practice/remote');
    unmount();
    const reloaded = renderApp('/app/practice/remote');
    await waitFor(() => expect(reloaded.at()).toBe('/hello'));
  });

  it('are signed out in a tab that was reloaded meanwhile, and sent to the sign-in in a tab of another user', async () => {
    const first = renderApp('/app/home');
    await screen.findByRole('heading', { name: 'Welcome, Ada!' });
    first.unmount();
    storeSignOut('left');
    server.use(...visitor);
    const { at, unmount } = renderApp('/app/practice/remote');
    await waitFor(() => expect(at()).toBe('/hello'));
    unmount();
    const later = renderApp('/app/practice/remote');
    await waitFor(() => expect(later.at()).toBe('/login'));
  });

  it('can switch the theme, and the choice is stored', async () => {
    const { user } = renderApp('/app/home');
    await user.click(await screen.findByRole('switch', { name: 'Dark theme' }));
    expect(localStorage.getItem('morpion_theme')).toBe('dark');
    expect(document.documentElement).toHaveAttribute('data-mantine-color-scheme', 'dark');
    expect(screen.getByRole('switch', { name: 'Dark theme' })).toBeChecked();
  });
});

describe('the session', () => {
  it('is refreshed at once and every 600000 ms', async () => {
    expect(REFRESH_INTERVAL_MS).toBe(600_000);
    vi.useFakeTimers({ shouldAdvanceTime: true });
    let refreshed = 0;
    server.use(
      http.post('*/api/auth/secure/token/refresh', () => {
        refreshed += 1;
        return answer({});
      }),
      ...signedInAsAda,
      ...noGames.handlers,
    );
    renderApp('/app/home');
    await waitFor(() => expect(refreshed).toBe(1));
    await vi.advanceTimersByTimeAsync(REFRESH_INTERVAL_MS);
    await waitFor(() => expect(refreshed).toBe(2));
  });

  it('that has ended reloads the page', async () => {
    server.use(
      http.post('*/api/auth/secure/token/refresh', () => failure(401, { errorMessage: 'Please sign in.' })),
      ...signedInAsAda,
      ...noGames.handlers,
    );
    const { reload } = renderApp('/app/home');
    await waitFor(() => expect(reload).toHaveBeenCalled());
    expect(console.warn).toHaveBeenCalledWith('Session expired, logging out...', expect.anything());
  });

  it('is the last known one while the server cannot be reached', async () => {
    server.use(...signedInAsAda, ...noGames.handlers);
    const first = renderApp('/app/home');
    await screen.findByRole('heading', { name: 'Welcome, Ada!' });
    first.unmount();
    server.use(http.get('*/api/auth/check-login', () => Response.error()));
    const { store } = renderApp('/app/practice/remote');
    expect(await screen.findByRole('heading', { name: 'Invite Friend' })).toBeInTheDocument();
    expect(store.getState().session.status).toBe('connecting');
  });

  it.each([
    ['its socket says so', () => FakeSocket.last.receive('authenticated', { userId: ada.userId, socketId: 's' })],
    ['the network is back', () => window.dispatchEvent(new Event('online'))],
  ])('that was remembered is loaded again once the server can be reached, when %s', async (_when, tell) => {
    server.use(
      http.get('*/api/auth/check-login', () => Response.error()),
      http.get('*/api/auth/providers', () => answer({ local: true, registration: true, guests: false, mail: false })),
      http.get('*/api/auth/sessions', () => answer({ sessions: [] })),
    );
    rememberUser({ ...ada, emailVerified: true });
    const { store } = renderApp('/app/setting/security');
    const region = within(await screen.findByRole('region', { name: 'Security' }));
    expect(await region.findByText('Your email appears when the server can be reached.')).toBeInTheDocument();
    expect(region.queryByText(/is verified/)).toBeNull();
    server.use(
      http.get('*/api/auth/check-login', () => answer({ isLogIn: true, user: { ...ada, emailVerified: true } })),
      http.post('*/api/auth/secure/token/refresh', () => answer({})),
    );
    await waitFor(() => expect(FakeSocket.all).toHaveLength(1));
    FakeSocket.last.open();
    tell();
    expect(await region.findByText('ada@example.org')).toBeInTheDocument();
    expect(store.getState().session).toMatchObject({ status: 'login', isRemembered: false });
  });

  it('is remembered without email, first and last name, which are shown and changed once the server can be reached', async () => {
    server.use(
      http.get('*/api/auth/check-login', () => Response.error()),
      http.get('*/api/auth/providers', () => answer({ local: true, registration: true, guests: false, mail: false })),
    );
    rememberUser({ ...ada, lastName: 'Lovelace' });
    expect(localStorage.getItem('morpion_last_user')).not.toMatch(/Lovelace|example\.org/);
    renderApp('/app/setting/edit');
    expect(await screen.findByLabelText('Last Name')).toHaveAttribute('readonly');
    expect(screen.getByLabelText('Last Name')).toHaveValue('');
    server.use(
      http.get('*/api/auth/check-login', () => answer({ isLogIn: true, user: { ...ada, lastName: 'Lovelace' } })),
      http.post('*/api/auth/secure/token/refresh', () => answer({})),
    );
    window.dispatchEvent(new Event('online'));
    await waitFor(() => expect(screen.getByLabelText('Last Name')).toHaveValue('Lovelace'));
    expect(screen.getByLabelText('Last Name')).not.toHaveAttribute('readonly');
  });

  it('keeps the email while the server is briefly unreachable', async () => {
    server.use(...signedInAsAda, ...noGames.handlers);
    const { store } = renderApp('/app/home');
    await screen.findByRole('heading', { name: 'Welcome, Ada!' });
    server.use(http.get('*/api/auth/check-login', () => Response.error()));
    await store.dispatch(checkLogin());
    expect(store.getState().session).toMatchObject({ status: 'connecting', user: { email: ada.email } });
  });
});
