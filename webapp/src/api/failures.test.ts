import { configureStore } from '@reduxjs/toolkit';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { failureText, NETWORK_ERROR } from '@/shared/account/failure';
import { api, type ApiError } from './base';

// Every file of this folder adds its endpoints.
import.meta.glob(['./*.ts', '!./*.test.ts'], { eager: true });

interface Call {
  initiate: (arg: unknown) => unknown;
  useMutation?: unknown;
}

const calls = Object.entries(api.endpoints as unknown as Record<string, Call>);
const acts = calls.filter(([, { useMutation }]) => useMutation !== undefined);

/** An argument with every field that a call may read, and a text. */
const ANYTHING: unknown = new Proxy(
  {},
  {
    get: (_target, name) => {
      if (name === Symbol.toPrimitive) return () => 'x';
      return typeof name === 'string' && name !== 'toJSON' ? new Blob(['x']) : undefined;
    },
  },
);

async function failureOf(call: Call): Promise<ApiError> {
  const store = configureStore({
    reducer: { [api.reducerPath]: api.reducer },
    middleware: (defaults) => defaults({ serializableCheck: false, immutableCheck: false }).concat(api.middleware),
  });
  const { error } = (await store.dispatch(call.initiate(ANYTHING) as never)) as unknown as { error: ApiError };
  return error;
}

function refusing(status: number, body: object, headers: Record<string, string> = {}) {
  return () => Promise.resolve(Response.json({ succeeded: false, ...body }, { status, headers }));
}

const FAILURES: [name: string, fetch: (request: Request) => Promise<Response>, text: string][] = [
  ['503', refusing(503, { errorMessage: 'Not now.', requestId: 'r1' }), 'Not now. (Request r1)'],
  ['503 of a proxy', () => Promise.resolve(new Response('<html>', { status: 503 })), 'It failed.'],
  [
    '429',
    refusing(429, { errorMessage: 'Too many requests.' }, { 'Retry-After': '42' }),
    'Too many requests. Please wait 42 seconds.',
  ],
  [
    '429 for long',
    refusing(429, { errorMessage: 'Too many requests.' }, { 'Retry-After': '540' }),
    'Too many requests. Please wait 9 minutes.',
  ],
  ['a cut connection', () => Promise.reject(new TypeError('Failed to fetch')), NETWORK_ERROR],
];

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

// What pages show of it: app/failedReads.test.tsx for reads, the lint rule `answered` for acts.
describe('every read and every act of the web app', () => {
  it('is known', () => {
    expect(acts.length).toBeGreaterThan(60);
    expect(calls.length - acts.length).toBeGreaterThan(50);
  });

  it.each(calls)('%s says that it failed, why, and when to try again', async (_name, call) => {
    for (const [name, fetch, text] of FAILURES) {
      vi.stubGlobal('fetch', fetch);
      expect(failureText(await failureOf(call), 'It failed.'), name).toBe(text);
    }
  });

  it.each(calls)('%s ends without an answer', async (_name, call) => {
    vi.useFakeTimers();
    vi.stubGlobal(
      'fetch',
      ({ signal }: Request) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error));
        }),
    );
    const failed = failureOf(call);
    await vi.advanceTimersByTimeAsync(180_000);
    expect(failureText(await failed, 'It failed.')).toBe('The server did not answer in time. Please try again.');
  });
});
