import { screen, waitFor } from '@testing-library/react';
import { http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { renderApp } from '@/testing/renderApp';
import { actions, ada, answer, failure, server, visitor } from '@/testing/server';
import { passwordError, usernameError } from '@/shared/account/rules';

beforeEach(() =>
  server.use(
    ...visitor,
    ...actions('game', { get_games_by_user: () => answer({ games: [] }) }).handlers,
    http.post('*/api/auth/secure/token/refresh', () => answer({})),
  ),
);

describe('the password rules', () => {
  it.each([
    ['', 'Password cannot be empty'],
    ['Ab1!', 'Password must be at least 8 characters.'],
    ['abcdefg1!', 'Password must contain at least one uppercase letter.'],
    ['ABCDEFG1!', 'Password must contain at least one lowercase letter.'],
    ['Abcdefgh!', 'Password must contain at least one digit.'],
    ['Abcdefgh1', 'Password must contain at least one special character.'],
    ['Abcdefg1!', null],
  ])('%j: %s', (password, message) => expect(passwordError(password)).toBe(message));
});

describe('usernames', () => {
  it.each(['ada', 'a_b.c-9', 'A'.repeat(20)])('%s is fine', (name) => expect(usernameError(name)).toBeNull());
  it.each(['ad', 'A'.repeat(21), 'a b c', 'ädä', ''])('%j is not', (name) =>
    expect(usernameError(name)).not.toBeNull(),
  );
});

describe('signing in', () => {
  async function signIn(email = 'ada@example.org', password = 'Secret1!') {
    const app = renderApp('/login');
    await app.user.type(await screen.findByLabelText(/Email/), email);
    await app.user.type(screen.getByLabelText(/^Password/), password);
    await app.user.click(screen.getByRole('button', { name: 'Sign in' }));
    return app;
  }

  it('shows the specified texts', async () => {
    renderApp('/login');
    expect(await screen.findByRole('heading', { name: 'Welcome back' })).toBeInTheDocument();
    expect(screen.getByText('Sign in to your account')).toBeInTheDocument();
    expect(screen.getByText(/Don't have an account\?/)).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Sign up' })).toHaveAttribute('href', '/register');
  });

  it('sends the CSRF token and continues to Home', async () => {
    let sent: unknown;
    let token: string | null = null;
    server.use(
      http.post('*/api/auth/login', async ({ request }) => {
        sent = await request.json();
        token = request.headers.get('X-XSRF-TOKEN');
        return answer({ isLogIn: true, user: { ...ada } });
      }),
    );
    const { at } = await signIn();
    await waitFor(() => expect(at()).toBe('/app/home'));
    expect(sent).toEqual({ email: 'ada@example.org', password: 'Secret1!', isGoogleAccount: false });
    expect(token).toBe('token');
  });

  it.each([
    [
      'the server’s words',
      () => failure(401, { errorMessage: 'Email or password is wrong.' }),
      'Email or password is wrong.',
    ],
    ['Login failed', () => failure(500), 'Login failed'],
    ['Network error', () => Response.error(), 'Network error. Please check your connection.'],
  ])('shows what failed: %s', async (_name, respond, text) => {
    server.use(http.post('*/api/auth/login', respond));
    await signIn();
    expect(await screen.findByText(text)).toBeInTheDocument();
  });
});

describe('signing up', () => {
  async function signUp() {
    const app = renderApp('/register');
    await app.user.type(await screen.findByLabelText(/Username/), 'ada');
    await app.user.type(screen.getByLabelText(/Email/), 'ada@example.org');
    await app.user.type(screen.getByLabelText(/^Password/), 'Secret1!');
    await app.user.click(screen.getByRole('button', { name: 'Sign Up' }));
    return app;
  }

  it('shows the specified texts', async () => {
    renderApp('/register');
    expect(await screen.findByRole('heading', { name: 'Create Account' })).toBeInTheDocument();
    expect(screen.getByText('Sign up to get started')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Sign In' })).toHaveAttribute('href', '/login');
    expect(screen.getByText(/at least 13 years old/)).toBeInTheDocument();
  });

  it('creates a local account and signs in', async () => {
    let sent: unknown;
    server.use(
      http.post('*/api/auth/register', async ({ request }) => {
        sent = await request.json();
        return answer({ isLogIn: true, user: { ...ada } });
      }),
    );
    const { at } = await signUp();
    await waitFor(() => expect(at()).toBe('/app/accountSetup'));
    expect(sent).toEqual({
      email: 'ada@example.org',
      password: 'Secret1!',
      username: 'ada',
      firstName: '',
      lastName: '',
      accountType: 'local',
      isGoogleAccount: false,
    });
  });

  it('shows the server’s error for a field at that field', async () => {
    server.use(
      http.post('*/api/auth/register', () =>
        failure(422, { errorMessage: 'Registration failed', fieldErrors: { username: 'This username is taken.' } }),
      ),
    );
    await signUp();
    expect(await screen.findByText('This username is taken.')).toBeInTheDocument();
    await waitFor(() => expect(screen.getByLabelText(/^Username/)).toHaveFocus());
    expect(screen.getByLabelText(/Username/)).toBeInvalid();
  });

  it.each([
    ['Registration failed', () => failure(500)],
    ['Network error. Please check your connection.', () => Response.error()],
  ])('shows %s', async (text, respond) => {
    server.use(http.post('*/api/auth/register', respond));
    await signUp();
    expect(await screen.findByText(text)).toBeInTheDocument();
  });
});

describe('the setup link', () => {
  it('creates the first admin and signs them in', async () => {
    let sent: unknown;
    server.use(
      http.get('*/api/auth/setup', ({ request }) =>
        answer({ open: new URL(request.url).searchParams.get('token') === 'secret' }),
      ),
      http.post('*/api/auth/setup', async ({ request }) => {
        sent = await request.json();
        return answer({ isLogIn: true, user: { ...ada, isAdmin: true } });
      }),
    );
    const app = renderApp('/setup?token=secret');
    await app.user.type(await screen.findByLabelText(/Username/), 'ada');
    await app.user.type(screen.getByLabelText(/Email/), 'ada@example.org');
    await app.user.type(screen.getByLabelText(/^Password/), 'Secret-Nr1');
    await app.user.click(screen.getByRole('button', { name: 'Create admin' }));
    await waitFor(() => expect(sent).toMatchObject({ token: 'secret', username: 'ada', email: 'ada@example.org' }));
    expect(await screen.findByRole('heading', { name: /Welcome/ })).toBeInTheDocument();
  });

  it('shows what to do when it has been used', async () => {
    server.use(http.get('*/api/auth/setup', () => answer({ open: false })));
    renderApp('/setup?token=old');
    expect(await screen.findByText(/morpion admin create/)).toBeInTheDocument();
  });
});
