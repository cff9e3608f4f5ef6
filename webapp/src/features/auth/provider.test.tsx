import { screen, waitFor } from '@testing-library/react';
import { http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { expectAccessible } from '@/testing/axe';
import { renderApp } from '@/testing/renderApp';
import { ada, answer, failure, server, visitor } from '@/testing/server';
import { leaveFor } from '@/shared/session/ledToProvider';
import { storeSignOut } from '@/shared/session/storedSession';
import { identityOf } from './identity';

vi.mock('@/shared/session/ledToProvider', async (original) => ({
  ...(await original<object>()),
  leaveFor: vi.fn(),
}));

/** The part of Google's button that is used. */
const google = vi.hoisted(() => ({
  clientId: '',
  nonce: '',
  answer: (() => {}) as (credential: string | undefined) => void,
}));
vi.mock('@react-oauth/google', () => ({
  GoogleOAuthProvider: ({ clientId, children }: { clientId: string; children: React.ReactNode }) => {
    google.clientId = clientId;
    return children;
  },
  GoogleLogin: (props: { nonce: string; text: string; onSuccess: (given: { credential?: string }) => void }) => {
    google.nonce = props.nonce;
    google.answer = (credential) => props.onSuccess(credential === undefined ? {} : { credential });
    return <button type="button">{props.text}</button>;
  },
}));

function credential(claims: object): string {
  const bytes = new TextEncoder().encode(JSON.stringify(claims));
  const text = btoa(String.fromCodePoint(...bytes));
  return `e30.${text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}.sig`;
}

const TOKEN = credential({ email: 'zoé.b@example.org', given_name: 'Zoé', family_name: 'Blanc' });

function configured(provider: object, local = true, more: object = {}) {
  return http.get('*/api/auth/providers', () =>
    answer({
      local,
      registration: local,
      guests: false,
      mail: false,
      ...more,
      provider: {
        name: 'Google',
        issuer: 'https://accounts.google.com',
        clientId: 'client-1',
        isGoogle: true,
        nonce: 'nonce-1',
        calendar: false,
        ...provider,
      },
    }),
  );
}

beforeEach(() => server.use(...visitor));

describe('the identity in a credential', () => {
  it('is read, and no username is derived from the email', () => {
    expect(identityOf(TOKEN)).toEqual({
      email: 'zoé.b@example.org',
      firstName: 'Zoé',
      lastName: 'Blanc',
      credential: TOKEN,
    });
  });
  it.each(['', 'a.b.c', credential({}), credential([])])('is missing in %j', (text) =>
    expect(identityOf(text)).toBeNull(),
  );
});

describe('without a provider', () => {
  it('no button is shown', async () => {
    renderApp('/login');
    await screen.findByRole('heading', { name: 'Welcome back' });
    expect(screen.queryByRole('button', { name: 'signin_with' })).not.toBeInTheDocument();
    expect(screen.queryByText('or by email')).not.toBeInTheDocument();
  });
});

describe('Google’s button', () => {
  it.each([
    ['/login', 'signin_with', 'login'],
    ['/register', 'signup_with', 'register'],
  ])('comes first on %s and sends the identity payload', async (path, text, call) => {
    let sent: unknown;
    server.use(
      configured({}),
      http.post(`*/api/auth/${call}`, async ({ request }) => {
        sent = await request.json();
        return answer({ isLogIn: true, user: { ...ada } });
      }),
    );
    const { store } = renderApp(path);
    const button = await screen.findByRole('button', { name: text });
    const email = screen.getByLabelText(/^Email/);
    expect(button.compareDocumentPosition(email) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
    expect(google).toMatchObject({ clientId: 'client-1', nonce: 'nonce-1' });
    await expectAccessible();
    google.answer(TOKEN);
    await waitFor(() =>
      expect(sent).toEqual({
        email: 'zoé.b@example.org',
        firstName: 'Zoé',
        lastName: 'Blanc',
        accountType: 'google',
        isGoogleAccount: true,
        credential: TOKEN,
      }),
    );
    await waitFor(() => expect(store.getState().session.status).toBe('login'));
  });

  it.each([
    [
      '/login',
      'login',
      () => failure(401, { errorMessage: 'This email is not verified.' }),
      'This email is not verified.',
    ],
    ['/login', 'login', () => failure(500), 'Login failed'],
    ['/login', 'login', () => Response.error(), 'Network error. Please check your connection.'],
    ['/register', 'register', () => failure(500), 'Registration failed'],
    ['/register', 'register', () => Response.error(), 'Network error. Please check your connection.'],
  ])('on %s shows what failed in %s (%#): %s', async (path, call, respond, text) => {
    server.use(configured({}), http.post(`*/api/auth/${call}`, respond));
    renderApp(path);
    await screen.findByRole('button', { name: /^sign/ });
    google.answer(TOKEN);
    expect(await screen.findByText(text)).toBeInTheDocument();
  });

  it('that returns no credential signs nobody in', async () => {
    server.use(configured({}));
    renderApp('/register');
    await screen.findByRole('button', { name: 'signup_with' });
    google.answer(undefined);
    expect(await screen.findByText('Registration failed')).toBeInTheDocument();
  });
});

describe('several providers', () => {
  const more = [
    { id: 'club', name: 'The Club', issuer: 'https://club.example', isAway: true },
    { id: 'school', name: 'The School', issuer: 'https://school.example' },
  ].map((each) => ({ clientId: 'client', isGoogle: false, nonce: 'nonce', calendar: false, ...each }));

  it('have a button each, also one that could not be reached', async () => {
    server.use(configured({ name: 'Example ID', isGoogle: false }, true, { otherProviders: more }));
    renderApp('/login');
    await screen.findByRole('link', { name: 'Sign in with The School' });
    const links = screen.getAllByRole('link', { name: /^Sign in with/ });
    expect(links.map((link) => link.getAttribute('href'))).toEqual([
      '/api/auth/oidc/start',
      '/api/auth/oidc/club/start',
      '/api/auth/oidc/school/start',
    ]);
    expect(links[1]).toHaveAccessibleDescription('The Club could not be reached. Press the button to try again.');
    expect(links[2]).not.toHaveAccessibleDescription();
    expect(screen.getAllByText('or by email')).toHaveLength(1);
    await expectAccessible();
  });
});

describe('the only provider', () => {
  const only = configured({ name: 'Example ID', isGoogle: false }, false, { redirectToProvider: true });
  const left = () => vi.mocked(leaveFor).mock.calls.map(([address]) => address);
  beforeEach(() => {
    sessionStorage.clear();
    vi.mocked(leaveFor).mockReset();
    server.use(only);
  });

  it('is led to at once, and once', async () => {
    const { unmount } = renderApp('/login');
    await waitFor(() => expect(left()).toEqual(['/api/auth/oidc/start']));
    unmount();
    renderApp('/login');
    await screen.findByRole('link', { name: 'Sign in with Example ID' });
    expect(left()).toHaveLength(1);
  });

  it.each(['/login?error=provider-not-allowed', '/login?error=unavailable', '/login?local=1'])(
    'is not led to at %s',
    async (path) => {
      renderApp(path);
      await screen.findByRole('link', { name: 'Sign in with Example ID' });
      expect(left()).toEqual([]);
    },
  );

  it('is not led to after a sign-out', async () => {
    storeSignOut('left');
    renderApp('/login');
    await screen.findByRole('link', { name: 'Sign in with Example ID' });
    expect(left()).toEqual([]);
  });

  it('is not led to unless the server says so', async () => {
    server.use(configured({ name: 'Example ID', isGoogle: false }, false));
    renderApp('/login');
    await screen.findByRole('link', { name: 'Sign in with Example ID' });
    expect(left()).toEqual([]);
  });
});

describe('another issuer', () => {
  it.each([
    ['/login', 'Sign in with Example ID'],
    ['/register', 'Sign up with Example ID'],
  ])('has a link on %s: %s', async (path, name) => {
    server.use(configured({ name: 'Example ID', isGoogle: false }));
    renderApp(path);
    expect(await screen.findByRole('link', { name })).toHaveAttribute('href', '/api/auth/oidc/start');
    expect(screen.getByText('or by email')).toBeInTheDocument();
  });

  it('is the only way where local accounts are off', async () => {
    server.use(configured({ name: 'Example ID', isGoogle: false }, false));
    renderApp('/login');
    await screen.findByRole('link', { name: 'Sign in with Example ID' });
    expect(screen.queryByLabelText(/^Email/)).not.toBeInTheDocument();
    expect(screen.queryByText('or by email')).not.toBeInTheDocument();
  });

  it('continues to the account setup after a sign-up', async () => {
    server.use(configured({ name: 'Example ID', isGoogle: false }));
    const { user } = renderApp('/register');
    const link = await screen.findByRole('link', { name: 'Sign up with Example ID' });
    // jsdom does not navigate, and reports that.
    link.addEventListener('click', (event) => event.preventDefault());
    await user.click(link);
    expect(localStorage.getItem('intendedUrl')).toBe('/app/accountSetup');
  });

  it.each([
    ['provider-denied', 'You did not allow the sign-in, so nothing was changed.'],
    ['provider-not-allowed', /not allowed to sign in here/],
    ['provider-email-unverified', /Your provider has not verified your email/],
    ['provider-flow-over', /took too long/],
    ['provider-refused', 'Login failed'],
    ['unavailable', 'The provider cannot be reached just now. Please try again later, or sign in another way.'],
    ['constructor', 'Login failed'],
  ])('that returns %s leads to a readable message', async (code, text) => {
    renderApp(`/login?error=${code}`);
    expect(await screen.findByText(text)).toBeInTheDocument();
  });
});
