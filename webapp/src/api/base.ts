import { createApi, fetchBaseQuery, type BaseQueryFn, type FetchArgs } from '@reduxjs/toolkit/query/react';
import { log } from '@/shared/log';
import { secondFactorNeeded } from '@/shared/session/sessionSlice';
import { askForProof } from '@/shared/session/askForProof';
import { xsrfToken } from '@/shared/xsrf';
import { type Actions, OPERATIONS } from './generatedActions';
import type { components, operations } from './schema';

/** A failed call. */
export interface ApiError {
  /** The HTTP status; 0 if the server could not be reached. */
  status: number;
  /** For the user; absent if the server sent none. */
  message?: string;
  /** For programs, in kebab-case. */
  code?: string;
  /** Messages by field name. */
  fieldErrors?: Record<string, string>;
  /** The id of the request in the server's log. */
  requestId?: string;
  /** The free plan does not allow it, but Pro does. */
  requiresUpgrade?: boolean;
  /** Why nobody can sign in to the account. */
  suspension?: components['schemas']['Suspension'];
  /** Seconds until it may be tried again. */
  retryAfter?: number;
}

interface Answer {
  succeeded?: boolean;
  errorMessage?: string;
  errorCode?: string;
  requestId?: string;
  fieldErrors?: Record<string, string>;
  requiresUpgrade?: boolean;
  suspension?: components['schemas']['Suspension'];
}

export function isApiError(error: unknown): error is ApiError {
  return typeof error === 'object' && error !== null && 'status' in error && typeof error.status === 'number';
}

/** The server's error message, or `otherwise` if it sent none; with when to try again, if the server says so. */
export function errorText(error: unknown, otherwise: string): string {
  if (!isApiError(error)) return otherwise;
  const { status, message, requestId, retryAfter } = error;
  const words = [message || otherwise];
  // A server that is busy names a second, which has passed when this is read.
  if (retryAfter !== undefined && (status === 429 || retryAfter >= 10))
    words.push(`Please wait ${waitText(retryAfter)}.`);
  // The operator can find the request in the log by its id.
  if (message && status >= 500 && requestId) words.push(`(Request ${requestId})`);
  return words.join(' ');
}

function waitText(seconds: number): string {
  const [count, unit] = seconds <= 90 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute'];
  return count === 1 ? `1 ${unit}` : `${count} ${unit}s`;
}

/** Whether the same call may succeed when it is made again as it is. */
export function mayRetry(error: unknown): boolean {
  return (
    isApiError(error) && (error.status === 0 || error.status === 408 || error.status === 429 || error.status >= 500)
  );
}

/** How long a call waits for its answer, in milliseconds: a connection that died is not told of. */
const TIMEOUT_MS = 30_000;
/** The same where much is sent or received: a picture, an export. */
export const LONG_TIMEOUT_MS = 180_000;

const TIMED_OUT = 'The server did not answer in time. Please try again.';

const fetchFromServer = fetchBaseQuery({
  baseUrl: window.location.origin,
  timeout: TIMEOUT_MS,
  credentials: 'same-origin',
  prepareHeaders(headers) {
    const token = xsrfToken();
    if (token !== undefined) headers.set('X-XSRF-TOKEN', token);
    return headers;
  },
});

type BaseQuery = BaseQueryFn<string | FetchArgs, unknown, ApiError>;

/**
 * Makes a call. What needs a proof that it is the owner asks for one and is then repeated: whoever calls sees the
 * `proof-required` only if the user declines.
 */
export const baseQuery: BaseQuery = async (args, api, options) => {
  const answer = await call(args, api, options);
  if (answer.error?.code === 'second-factor-needed') api.dispatch(secondFactorNeeded());
  if (!isProofDeclined(answer.error)) return answer;
  return (await askForProof(api.dispatch)) ? call(args, api, options) : answer;
};

/** The user was asked to prove that it is them, and declined: nothing has failed, and nothing has changed. */
export function isProofDeclined(error: unknown): boolean {
  return isApiError(error) && error.code === 'proof-required';
}

/** Sends cookies and the CSRF header, and turns every failure into an `ApiError`. */
const call: BaseQuery = async (args, api, options) => {
  const isUnsafe = typeof args !== 'string' && args.method !== undefined && args.method !== 'GET';
  const askForToken = () => fetchFromServer('/api/auth/check-login', api, options);
  // check-login sets the CSRF cookie; a page that was opened offline does not have it yet.
  if (isUnsafe && xsrfToken() === undefined) await askForToken();
  const answer = toResult(await fetchFromServer(args, api, options));
  if (answer.error !== undefined && answer.error.status >= 500 && answer.error.status !== 501) {
    const name = typeof args === 'string' ? args : `${args.method ?? 'GET'} ${args.url}`;
    log.failedCall(`${name}: ${String(answer.error.status)}`, answer.error.requestId);
  }
  // The token belongs to the session: after a sign-in or sign-out in another tab it is stale once.
  if (!isUnsafe || !answer.error?.code?.endsWith('-forgery-token')) return answer;
  await askForToken();
  return toResult(await fetchFromServer(args, api, options));
};

function toResult({ data, error, meta }: Awaited<ReturnType<typeof fetchFromServer>>) {
  if (error !== undefined) {
    if (error.status === 'TIMEOUT_ERROR') return { error: { status: 0, message: TIMED_OUT } };
    const status =
      typeof error.status === 'number' ? error.status : error.status === 'PARSING_ERROR' ? error.originalStatus : 0;
    const retryAfter = Number(meta?.response?.headers.get('Retry-After') ?? NaN);
    return {
      error: {
        ...toApiError(status, isAnswer(error.data) ? error.data : {}),
        ...(retryAfter > 0 ? { retryAfter: Math.ceil(retryAfter) } : {}),
      },
    };
  }
  return isAnswer(data) && data.succeeded === false ? { error: toApiError(200, data) } : { data };
}

function isAnswer(data: unknown): data is Answer {
  return typeof data === 'object' && data !== null;
}

function toApiError(status: number, answer: Answer): ApiError {
  const { errorMessage, errorCode, requestId, fieldErrors, requiresUpgrade, suspension } = answer;
  return {
    status,
    ...(errorMessage === undefined ? {} : { message: errorMessage }),
    ...(errorCode === undefined ? {} : { code: errorCode }),
    ...(requestId === undefined ? {} : { requestId }),
    ...(fieldErrors === undefined ? {} : { fieldErrors }),
    ...(requiresUpgrade ? { requiresUpgrade } : {}),
    ...(suspension === undefined ? {} : { suspension }),
  };
}

/** The cache of server responses; the other files in this folder add the endpoints. */
export const api = createApi({
  reducerPath: 'api',
  baseQuery,
  tagTypes: [
    'Games',
    'Events',
    'SignUps',
    'Invitations',
    'Standings',
    'Rounds',
    'Series',
    'Ratings',
    'Audit',
    'Tokens',
    'Webhooks',
    'Server',
    'LiveGames',
    'Accounts',
    'Logs',
    'Sessions',
    'SecondFactor',
    'Programs',
    'Calendar',
    'Subscription',
    'Payments',
    'Ledger',
    'Reports',
    'Blocks',
    'Notifications',
    'Players',
  ],
  endpoints: () => ({}),
});

/** The most rows that the server returns in a page. */
export const PAGE_LIMIT = 100;

type Named<R extends keyof Actions, Kind> = {
  [A in keyof Actions[R]]: Actions[R][A] extends { kind: Kind } ? A : never;
}[keyof Actions[R]] &
  string;
type Payload<R extends keyof Actions, A extends keyof Actions[R]> = Actions[R][A] extends { payload: infer P }
  ? P
  : never;

type Content<T> = T extends { content: { 'application/json; charset=utf-8': infer Body } } ? Body : unknown;
/** The JSON body that an operation of the contract takes. */
export type RequestBody<O extends keyof operations> = [NonNullable<operations[O]['requestBody']>] extends [never]
  ? void
  : Content<NonNullable<operations[O]['requestBody']>>;
/** The JSON body that an operation of the contract returns when it succeeds. */
export type ResponseBody<O extends keyof operations> = operations[O] extends { responses: { 200: infer R } }
  ? Content<R>
  : never;

/** A call of an operation that is not part of the action API. */
export function request<O extends keyof typeof OPERATIONS>(operation: O, body?: RequestBody<O>): FetchArgs {
  const { method, path } = OPERATIONS[operation];
  return method === 'get' ? { url: path } : { url: path, method: 'POST', body };
}

/** A read of the action API: `GET <resource>?action=A&payload=<JSON text>`. */
export function read<R extends keyof Actions, A extends Named<R, 'read'>>(
  resource: R,
  action: A,
  payload: Payload<R, A>,
): FetchArgs {
  return { url: `/api/backend/${resource}`, params: { action, payload: JSON.stringify(payload) } };
}

/** A write of the action API: `POST <resource>` with `{action, payload}`. */
export function write<R extends keyof Actions, A extends Named<R, 'write'>>(
  resource: R,
  action: A,
  payload: Payload<R, A>,
): FetchArgs {
  return { url: `/api/backend/${resource}`, method: 'POST', body: { action, payload } };
}
