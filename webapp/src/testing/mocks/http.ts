/** The types of mocked operations and actions, from the contract. Handlers throw refusals. */

import { http, HttpResponse, type HttpHandler } from 'msw';
import { type Actions, OPERATIONS } from '@/api/generatedActions';
import type { components, operations } from '@/api/schema';
import { Refusal } from './refusal';
import type { MockServer } from './mockServer';

export type Operation = keyof typeof OPERATIONS;
type Json = 'application/json; charset=utf-8';
type Content<T> = T extends { content: { [J in Json]: infer Body } } ? Body : unknown;
type Body<O extends Operation> = [NonNullable<operations[O]['requestBody']>] extends [never]
  ? undefined
  : Content<NonNullable<operations[O]['requestBody']>>;
type Answer<O extends Operation> = operations[O] extends { responses: { 200: infer R } }
  ? Omit<Content<R>, 'succeeded'>
  : never;

interface Call<B> {
  mock: MockServer;
  body: B;
  query: URLSearchParams;
  /** The values of the path's parameters. */
  params: Params;
}

type Params = Record<string, string>;

/** The response of an operation without `succeeded`, which every response has. */
export type Routes = { [O in Operation]: (call: Call<Body<O>>) => Answer<O> };

export type ActionRoutes<R extends keyof Actions> = {
  [A in keyof Actions[R]]: Actions[R][A] extends { payload: infer P; answer: infer T }
    ? (mock: MockServer, payload: P) => Omit<T, 'succeeded'>
    : never;
};

/** An action resource: its read and write operations dispatch by the action's name. */
export function resource<R extends keyof Actions>(routes: ActionRoutes<R>) {
  const table = routes as Record<string, (mock: MockServer, payload: unknown) => object>;
  const run = (mock: MockServer, action: string, payload: unknown) => {
    const route = Object.hasOwn(table, action) ? table[action] : undefined;
    if (route === undefined) throw new Refusal(400, 'unknown-action', `Unknown action '${action}'.`);
    if (namesNoId(action, payload)) throw new Refusal(404, 'not-found', 'Nothing has this id.');
    return route(mock, payload);
  };
  return {
    read: ({ mock, query }: Call<unknown>): never =>
      run(mock, query.get('action') ?? '', JSON.parse(query.get('payload') ?? '{}')) as never,
    write: ({ mock, body }: Call<unknown>): never => {
      const { action, payload } = body as { action: string; payload: unknown };
      return run(mock, action, payload) as never;
    },
  };
}

/** The fields of payloads that are ids. */
const IDS = /^(event|game|user|opponent|winnerUser|report|series|signup|subscription|previousGame)Id$/;
const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Actions whose event may be `remote-` and the id of an invite game. */
const OF_ANY_EVENT = new Set(['create_game', 'get_games_by_event']);

/** Whether a payload has a text that is no id, where it has one: nothing can have it. */
function namesNoId(action: string, payload: unknown): boolean {
  const isId = (name: string) => IDS.test(name) && !(name === 'eventId' && OF_ANY_EVENT.has(action));
  return Object.entries(payload ?? {}).some(
    ([name, value]) => isId(name) && typeof value === 'string' && !ID.test(value),
  );
}

/** One MSW handler for each operation of the contract, and one for the single actions of each resource. */
export function httpHandlers(mock: MockServer, routes: Routes): HttpHandler[] {
  const handlers = (Object.keys(OPERATIONS) as Operation[]).map((operation) => {
    const { method, path } = OPERATIONS[operation];
    const route = routes[operation] as (call: Call<unknown>) => object;
    const at = (address: string, callOf: (request: Request, params: Params) => Promise<Call<unknown>>) =>
      http[method](`*${address.replace(/\{(\w+)\}/g, ':$1')}`, async ({ request, params }) => {
        try {
          const answer = route(await callOf(request, params as Params));
          if (answer instanceof Response) return answer;
          return HttpResponse.json(
            { succeeded: true, ...answer },
            { headers: { 'Set-Cookie': 'XSRF-TOKEN=mock; Path=/' } },
          );
        } catch (error) {
          if (error instanceof Refusal) return failure(error);
          throw error;
        }
      });
    const whole = at(path, async (request, params) => ({
      mock,
      body: method === 'post' ? await bodyOf(request) : undefined,
      query: new URL(request.url).searchParams,
      params,
    }));
    if (!/^(read|write)[A-Z]/.test(operation)) return [whole];
    const single = at(`${path}/{action}`, async (request, params) => {
      const { action = '' } = params;
      const query = new URL(request.url).searchParams;
      if (method === 'get') query.set('action', action);
      const body = method === 'post' ? { action, payload: await bodyOf(request) } : undefined;
      return { mock, body, query, params };
    });
    return [whole, single];
  });
  // Operations with a path of their own come before the actions that a path may name.
  return [...handlers.map(([whole]) => whole), ...handlers.flatMap(([, single]) => single ?? [])].filter(
    (handler) => handler !== undefined,
  );
}

function failure({ status, code, message, fieldErrors, requiresUpgrade, suspension, retryAfter }: Refusal) {
  const body: components['schemas']['Failure'] = {
    succeeded: false,
    errorCode: code,
    errorMessage: message,
    requestId: crypto.randomUUID(),
    ...(fieldErrors === undefined ? {} : { fieldErrors }),
    ...(requiresUpgrade ? { requiresUpgrade } : {}),
    ...(suspension === undefined ? {} : { suspension }),
  };
  return HttpResponse.json(body, {
    status,
    ...(retryAfter === undefined ? {} : { headers: { 'Retry-After': String(retryAfter) } }),
  });
}

/** An absent body is an object without fields. */
async function bodyOf(request: Request): Promise<unknown> {
  const type = request.headers.get('Content-Type') ?? '';
  if (type.startsWith('multipart/form-data')) return request.formData();
  const text = await request.text();
  return text === '' ? {} : JSON.parse(text);
}
