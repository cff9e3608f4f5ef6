import { screen, waitFor, within } from '@testing-library/react';
import { delay, http } from 'msw';
import { describe, expect, it } from 'vitest';
import { storedTheme } from '@/shared/theme/themeSlice';
import { mockHandlers } from '@/testing/mocks/handlers';
import { DEMO_ADMIN, MockServer } from '@/testing/mocks/mockServer';
import { renderApp } from '@/testing/renderApp';
import { renderWithMockServer } from '@/testing/renderWithMockServer';
import { server } from '@/testing/server';

// The routes and guards by name: docs/behaviour/webapp.md#routes-and-guards.

const GAME = '7b0f7a52-4f3f-4a55-9d0a-1f5d4c1f9a10';

const ADMINS = ['events', 'logs', 'audit', 'users', 'reports'].map((name) => `/app/admin/${name}`).concat('/app/admin');
const PROTECTED = [
  '/app/home',
  '/app/accountSetup',
  '/app/setting',
  '/app/setting/edit',
  '/app/setting/subscription',
  '/app/setting/termsCondition',
  '/app/setting/help',
  '/app/pro',
  '/app/kyc',
  '/app/practice',
  '/app/practice/local',
  '/app/practice/ai',
  '/app/practice/remote',
  '/app/host',
  `/app/host/${GAME}`,
  `/app/game/${GAME}`,
  `/app/game/${GAME}/replay`,
  `/app/game/event/${GAME}`,
  ...ADMINS,
];

/** Grace is an admin. */
function renderForAdmin(path: string) {
  const mock = new MockServer();
  mock.signIn(DEMO_ADMIN.email, DEMO_ADMIN.password);
  server.use(...mockHandlers(mock));
  return renderApp(path);
}

describe('a visitor', () => {
  it.each([
    ['/hello', 'Tic-Tac-Toe, taken seriously. Almost.'],
    ['/tournaments', 'Tournaments'],
    ['/legal', 'Legal Information'],
    ['/terms', 'Terms & Conditions'],
    ['/termsconditon', 'Terms & Conditions'],
    ['/privacy-policy', 'Privacy Policy'],
    ['/privacy', 'Privacy Policy'],
    ['/cookies', 'Cookies Policy'],
    ['/login', 'Welcome back'],
    ['/register', 'Create Account'],
    ['/changepassword', 'Forgot your password?'],
    ['/app/events', 'Events'],
  ])('may open %s', async (path, heading) => {
    const { at } = renderWithMockServer(path, { asVisitor: true });
    expect(await screen.findByRole('heading', { name: heading, level: 1 })).toBeInTheDocument();
    expect(at()).toBe(path);
  });

  it('may open the big screen of an event, which has no navigation', async () => {
    const { mock, at } = renderWithMockServer(`/screen/${GAME}`, { asVisitor: true });
    expect(await screen.findByRole('heading', { name: 'Event not found.', level: 1 })).toBeInTheDocument();
    expect(at()).toBe(`/screen/${GAME}`);
    expect(screen.queryByRole('navigation')).not.toBeInTheDocument();
    expect(mock.viewer).toBeUndefined();
  });

  it.each(PROTECTED)('who opens %s is sent to the sign-in, and the path is stored', async (path) => {
    const { at, store } = renderWithMockServer(path, { asVisitor: true });
    await waitFor(() => expect(at()).toBe('/login'));
    await waitFor(() => expect(localStorage.getItem('intendedUrl')).toBe(path));
    expect(store.getState().session.intendedUrl).toBe(path);
  });
});

describe('somebody signed in', () => {
  it.each(['/login', '/register', '/'])('is redirected from %s to /app/home', async (path) => {
    const { at } = renderWithMockServer(path);
    await waitFor(() => expect(at()).toBe('/app/home'));
  });

  it.each(ADMINS)('who is not an admin is redirected from %s to /app/home', async (path) => {
    const { at } = renderWithMockServer(path);
    await waitFor(() => expect(at()).toBe('/app/home'));
  });

  it('has the places of the app and one’s own page in the navigation, and no admin pages', async () => {
    renderWithMockServer('/app/practice');
    const places = within(await screen.findByRole('navigation', { name: 'Main' })).getAllByRole('link');
    expect(places.map((place) => [place.lastChild?.textContent, place.getAttribute('href')])).toEqual([
      ['Home', '/app/home'],
      ['Events', '/app/events'],
      ['Watch', '/app/watch'],
      ['Practice', '/app/practice'],
      ['Players', '/app/ratings'],
      ['Settings', '/app/setting'],
      ['You', '/app/players/ada'],
    ]);
    expect(screen.queryByRole('navigation', { name: 'Admin' })).not.toBeInTheDocument();
  });

  it.each([`/app/game/${GAME}`, `/app/game/event/${GAME}`])('has no navigation on %s', async (path) => {
    const { at } = renderWithMockServer(path);
    expect(await screen.findByText('Connecting to Game Server...')).toBeInTheDocument();
    expect(at()).toBe(path);
    expect(screen.queryByRole('navigation')).not.toBeInTheDocument();
  });
});

describe('an admin', () => {
  it('is redirected from /app/admin to the events', async () => {
    const { at } = renderForAdmin('/app/admin');
    await waitFor(() => expect(at()).toBe('/app/admin/events'));
  });

  it('has Events and Logs in a separate group', async () => {
    renderForAdmin('/app/practice');
    const group = within(await screen.findByRole('navigation', { name: 'Admin' }));
    expect(group.getByRole('link', { name: 'Events' })).toHaveAttribute('href', '/app/admin/events');
    expect(group.getByRole('link', { name: 'Logs' })).toHaveAttribute('href', '/app/admin/logs');
  });
});

describe('while the login status is checked', () => {
  it.each(['/app/home', '/app/events', '/app'])('a loader is shown at %s', async (path) => {
    server.use(http.get('*/api/auth/check-login', () => delay('infinite')));
    const { at } = renderApp(path);
    expect(await screen.findByText('Loading…')).toHaveRole('paragraph');
    expect(screen.queryByRole('heading')).not.toBeInTheDocument();
    expect(at()).toBe(path);
  });
});

describe('the theme', () => {
  it.each([
    [null, 'light'],
    ['light', 'light'],
    ['dark', 'dark'],
    ['purple', 'light'],
  ])('stored as %s is %s', (stored, mode) => {
    if (stored !== null) localStorage.setItem('morpion_theme', stored);
    expect(storedTheme()).toBe(mode);
  });
});
