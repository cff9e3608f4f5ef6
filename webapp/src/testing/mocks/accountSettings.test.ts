import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { misfit } from './fit';
import { mockHandlers } from './handlers';
import { MOCK_CODE } from './accountSettings';
import { DEMO, DEMO_ADMIN, MockServer } from './mockServer';

const ORIGIN = 'http://localhost:3000';
const NEW_PASSWORD = 'Paper-and-1nk';

const server = setupServer();
let mock: MockServer;

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());
beforeEach(() => {
  mock = new MockServer();
  server.use(...mockHandlers(mock));
});

async function post(path: string, body: object = {}) {
  const isForm = body instanceof FormData;
  const response = await fetch(`${ORIGIN}/api/${path}`, {
    method: 'POST',
    ...(isForm ? {} : { headers: { 'Content-Type': 'application/json' } }),
    body: isForm ? body : JSON.stringify(body),
  });
  const answer = (await response.json()) as Record<string, unknown>;
  if (!response.ok) expect(misfit('Failure', answer)).toBeNull();
  return { status: response.status, answer };
}

const login = (password: string = DEMO.password) =>
  post('auth/login', { email: DEMO.email, password, isGoogleAccount: false });

describe('recovery', () => {
  const email = DEMO.email;
  const update = (choice = {}) => post('auth/api/v1/update-password', { email, newPassword: NEW_PASSWORD, ...choice });

  it('sets a password only after the right code, ends the session and verifies the email', async () => {
    await login();
    expect((await update()).status).toBe(403);
    await post('auth/api/v1/requestverificationcode', { email });
    const validate = (code: number) => post('auth/api/v1/validate-verification-code', { email, code });
    expect((await validate(123_456)).status).toBe(422);
    expect((await validate(MOCK_CODE)).status).toBe(200);
    expect((await update()).answer).toMatchObject({ errorCode: 'unconfirmed-account' });
    expect((await update({ openUnconfirmed: true })).status).toBe(200);
    expect((await update()).status).toBe(403);
    expect(mock.isSignedIn).toBe(false);
    expect((await login()).status).toBe(401);
    expect((await login(NEW_PASSWORD)).answer).toMatchObject({ user: { emailVerified: true } });
  });
});

describe('an email', () => {
  it('is verified by the requested code', async () => {
    await login();
    const verify = (code: number) => post('auth/email/verify', { code });
    expect((await verify(MOCK_CODE)).status).toBe(422);
    await post('auth/email/request-code');
    expect((await verify(MOCK_CODE)).status).toBe(200);
    expect(mock.user.emailVerified).toBe(true);
  });
});

describe('sessions', () => {
  it('are ended one by one, and ending the current one signs out', async () => {
    await login();
    const [here, phone] = mock.accountState.sessions;
    await post('auth/sessions/revoke', { sessionId: phone?.sessionId ?? '' });
    expect(mock.accountState.sessions).toEqual([here]);
    await post('auth/sessions/revoke', { sessionId: here?.sessionId ?? '' });
    expect(mock.isSignedIn).toBe(false);
  });
});

describe('a guest', () => {
  it('becomes a user with the same id', async () => {
    const { answer } = await post('auth/guest');
    const guest = answer.user as { userId: string; displayName: string };
    const registered = await post('auth/register', {
      username: 'eve',
      email: 'eve@example.org',
      password: NEW_PASSWORD,
      firstName: '',
      lastName: '',
      accountType: 'local',
      isGoogleAccount: false,
    });
    expect(registered.answer.user).toMatchObject({
      ...guest,
      hasPassword: true,
      username: 'eve',
      email: 'eve@example.org',
      isTempUser: false,
    });
  });
});

describe('an avatar', () => {
  const picture = (type: string, bytes = 8) => {
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(bytes)], { type }), 'picture');
    return form;
  };

  it('is stored, served and removed', async () => {
    await login();
    const { answer } = await post('backend/profile/image', picture('image/png'));
    expect(misfit('ProfileImageAnswer', answer)).toBeNull();
    const served = await fetch(ORIGIN + String(answer.profileUrl));
    expect(served.headers.get('Content-Type')).toBe('image/png');
    expect(mock.user.profile).toBe(answer.profileUrl);
    await post('backend/profile/remove');
    expect(mock.user.profile).toBe('');
  });

  it.each([
    ['image/svg+xml', 8, 415],
    ['image/png', 5 * 1024 * 1024 + 1, 413],
  ])('of %s with %i bytes is refused', async (type, bytes, expected) => {
    await login();
    expect((await post('backend/profile/image', picture(type, bytes))).status).toBe(expected);
  });
});

describe('a deleted account', () => {
  it('needs the password or a recent proof', async () => {
    await login();
    mock.factors.provedAt = 0;
    const refused = await post('backend/delete/account');
    expect([refused.status, refused.answer.errorCode]).toEqual([403, 'proof-required']);
    expect((await post('backend/delete/account', { password: 'wrong' })).answer.fieldErrors).toHaveProperty('password');
    expect((await post('auth/proof', { password: DEMO.password })).status).toBe(200);
    expect((await post('backend/delete/account')).status).toBe(200);
  });

  it.each(['suspend_user', 'delete_user'])('of somebody else: %s needs a recent proof', async (action) => {
    mock.signIn(DEMO_ADMIN.email, DEMO_ADMIN.password);
    const { userId } = mock.find(({ username }) => username === 'bob');
    const act = () => post('backend/admin', { action, payload: { userId, reason: 'Spam.' } });
    mock.factors.provedAt = 0;
    expect((await act()).answer.errorCode).toBe('proof-required');
    mock.factors.provedAt = Date.now();
    expect((await act()).status).toBe(200);
  });

  it('is removed, and its active games are forfeited', async () => {
    await login();
    const { userId } = mock.user;
    const bob = mock.find(({ username }) => username === 'bob');
    const game = mock.create(crypto.randomUUID(), [{ userId, username: 'ada', displayName: 'ada' }, bob], 3);
    game.enter(bob.userId);
    mock.enter(game, userId);
    expect((await post('backend/delete/account', { password: DEMO.password })).status).toBe(200);
    expect(game.status).toBe('completed');
    expect(game.winner?.userId).toBe(bob.userId);
    expect((await login()).status).toBe(401);
  });
});
