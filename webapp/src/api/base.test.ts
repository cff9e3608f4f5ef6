import { configureStore } from '@reduxjs/toolkit';
import { http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { answer, failure, server } from '@/testing/server';
import { accountApi } from './account';
import { api, errorText } from './base';

function logout() {
  const store = configureStore({
    reducer: { [api.reducerPath]: api.reducer },
    middleware: (defaults) => defaults().concat(api.middleware),
  });
  return store.dispatch(accountApi.endpoints.logout.initiate());
}

/** Records the CSRF header of each write and returns the given responses. */
function writes(respond: (attempt: number) => Response) {
  const tokens: (string | null)[] = [];
  server.use(
    http.post('*/api/auth/logout', ({ request }) => {
      tokens.push(request.headers.get('X-XSRF-TOKEN'));
      return respond(tokens.length);
    }),
  );
  return tokens;
}

beforeEach(() =>
  server.use(
    http.get('*/api/auth/check-login', () => {
      document.cookie = 'XSRF-TOKEN=fresh';
      return answer({ isLogIn: false });
    }),
  ),
);

describe('a write', () => {
  it('carries the CSRF token of the cookie', async () => {
    document.cookie = 'XSRF-TOKEN=a%2Bb';
    const tokens = writes(() => answer({}));
    await logout();
    expect(tokens).toEqual(['a+b']);
  });

  it('requests a token first when there is none', async () => {
    document.cookie = 'XSRF-TOKEN=; max-age=0';
    const tokens = writes(() => answer({}));
    await logout();
    expect(tokens).toEqual(['fresh']);
  });

  it('is retried once with a fresh token when the old one is stale', async () => {
    document.cookie = 'XSRF-TOKEN=old';
    const tokens = writes((attempt) => (attempt === 1 ? failure(403, { errorCode: 'bad-forgery-token' }) : answer({})));
    const { error } = await logout();
    expect(error).toBeUndefined();
    expect(tokens).toEqual(['old', 'fresh']);
  });
});

describe('a failure', () => {
  it.each([
    [
      'refused',
      () => failure(409, { errorMessage: 'No.', errorCode: 'no' }),
      { status: 409, message: 'No.', code: 'no' },
    ],
    ['refused with status 200', () => failure(200, { errorMessage: 'No.' }), { status: 200, message: 'No.' }],
    ['no JSON', () => new Response('<html>', { status: 502 }), { status: 502 }],
    ['unreachable', () => Response.error(), { status: 0 }],
  ])('is an ApiError: %s', async (_name, respond, expected) => {
    writes(respond);
    const { error } = await logout();
    expect(error).toEqual(expected);
  });

  it('shows the server’s message, or a default', () => {
    expect(errorText({ status: 409, message: 'No.' }, 'Request failed')).toBe('No.');
    expect(errorText({ status: 0 }, 'Request failed')).toBe('Request failed');
    expect(errorText(undefined, 'Request failed')).toBe('Request failed');
  });
});
