import { once } from 'node:events';
import type { ClientEvent, ClientEvents, ServerEvent, ServerEvents } from '../../src/realtime/protocol.ts';

/** A call and its response, or a frame: what is compared between the mock and the real server. */
export interface Exchange {
  what: string;
  status?: number;
  /** Whether the response has a time to try again. */
  mayRetry?: boolean;
  answer: unknown;
}

export interface Answer {
  succeeded: boolean;
  errorCode?: string;
  [field: string]: unknown;
}

const FRAME_MS = 30_000;

/** A client of a server, with cookies, calls and one websocket. It records everything it receives. */
export class Client {
  readonly exchanges: Exchange[] = [];
  readonly origin: string;
  readonly #suffix: string;
  readonly #cookies = new Map<string, string>();
  #socket: WebSocket | undefined;
  #frames: { event: ServerEvent; data: unknown }[] = [];
  #arrived: () => void = () => undefined;
  readonly #listeners = new Map<ServerEvent, (data: never) => void>();

  /** Names of its accounts end in `suffix`, since scenarios share a server. */
  constructor(origin: string, suffix = '') {
    this.origin = origin;
    this.#suffix = suffix;
  }

  someone(name: string): string {
    return `${name}${this.#suffix}`;
  }

  async get(path: string): Promise<Answer> {
    return this.#request('GET', path);
  }

  async post(path: string, body: object = {}): Promise<Answer> {
    return this.#request('POST', path, body);
  }

  read(resource: string, action: string, payload: object = {}): Promise<Answer> {
    const query = new URLSearchParams({ action, payload: JSON.stringify(payload) });
    return this.#request('GET', `/api/backend/${resource}?${query.toString()}`, undefined, `${resource} ${action}`);
  }

  write(resource: string, action: string, payload: object = {}): Promise<Answer> {
    return this.#request('POST', `/api/backend/${resource}`, { action, payload }, `${resource} ${action}`);
  }

  async register(username: string, names = { firstName: 'First', lastName: 'Last' }): Promise<string> {
    const { user } = await this.post('/api/auth/register', {
      username,
      email: `${username}@example.org`,
      password: PASSWORD,
      ...names,
      accountType: 'local',
      isGoogleAccount: false,
    });
    return (user as { userId: string }).userId;
  }

  async signIn(username: string): Promise<void> {
    await this.signOut();
    await this.post('/api/auth/login', {
      email: `${username}@example.org`,
      password: PASSWORD,
      isGoogleAccount: false,
    });
  }

  async signOut(): Promise<void> {
    this.disconnect();
    await this.post('/api/auth/logout');
  }

  async whoAmI(): Promise<{ userId: string }> {
    const { user } = await this.quietly(() => this.get('/api/auth/check-login'));
    return user as { userId: string };
  }

  async connect(): Promise<void> {
    const init = { headers: { Cookie: this.#cookieHeader(), Origin: this.origin } };
    // Node takes headers where browsers take protocols.
    const socket = new WebSocket(
      `${this.origin.replace('http', 'ws')}/api/backend/realtime`,
      init as unknown as string,
    );
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => {
      const frame = JSON.parse(String(data)) as { event: ServerEvent; data: unknown };
      this.#frames.push(frame);
      this.#listeners.get(frame.event)?.(frame.data as never);
      this.#arrived();
    });
    await once(socket as unknown as NodeJS.EventEmitter, 'open').catch(() => undefined);
    if (socket.readyState !== WebSocket.OPEN) {
      await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }));
    }
  }

  disconnect(): void {
    this.#socket?.close();
    this.#socket = undefined;
    this.#frames = [];
  }

  send<E extends ClientEvent>(event: E, data: ClientEvents[E]): void {
    this.#socket?.send(JSON.stringify({ event, data }));
  }

  listen<E extends ServerEvent>(event: E, hear: (data: ServerEvents[E]) => void): void {
    this.#listeners.set(event, hear);
  }

  /** Waits for the next frame with that name and skips the frames before it. */
  async frame<E extends ServerEvent>(event: E): Promise<ServerEvents[E]> {
    const until = Date.now() + FRAME_MS;
    for (;;) {
      const at = this.#frames.findIndex((frame) => frame.event === event);
      const found = this.#frames[at];
      if (found !== undefined) {
        this.#frames.splice(0, at + 1);
        this.note(`frame ${event}`, found.data);
        return found.data as ServerEvents[E];
      }
      if (Date.now() > until) {
        const seen = this.#frames.map((frame) => frame.event).join(', ');
        throw new Error(`no ${event} within ${FRAME_MS} ms; frames: ${seen}`);
      }
      await new Promise<void>((resolve) => {
        this.#arrived = resolve;
        setTimeout(resolve, 250);
      });
    }
  }

  /** Records a value of the scenario, to be compared as well. */
  note(what: string, answer: unknown): void {
    this.exchanges.push({ what, answer });
  }

  /** Runs something whose responses are not compared. */
  async quietly<T>(doing: () => Promise<T>): Promise<T> {
    const before = this.exchanges.length;
    const result = await doing();
    this.exchanges.length = before;
    return result;
  }

  /** Repeats a call until the response is as expected: the server does some things a moment later. */
  async until(ask: () => Promise<Answer>, isSo: (answer: Answer) => boolean): Promise<void> {
    const end = Date.now() + FRAME_MS;
    await this.quietly(async () => {
      for (;;) {
        const answer = await ask();
        if (isSo(answer)) return;
        if (Date.now() > end) throw new Error(`not so within ${FRAME_MS} ms: ${JSON.stringify(answer)}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    });
  }

  async #request(method: string, path: string, body?: object, what = `${method} ${path}`): Promise<Answer> {
    const headers: Record<string, string> = { Origin: this.origin, Cookie: this.#cookieHeader() };
    if (method === 'POST') {
      headers['Content-Type'] = 'application/json';
      headers['X-XSRF-TOKEN'] = decodeURIComponent(this.#cookies.get('XSRF-TOKEN') ?? '');
    }
    const response = await fetch(this.origin + path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';');
      const at = pair.indexOf('=');
      this.#cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    const answer = (await response.json()) as Answer;
    const mayRetry = response.headers.has('Retry-After');
    this.exchanges.push({ what, status: response.status, ...(mayRetry ? { mayRetry } : {}), answer });
    return answer;
  }

  #cookieHeader(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }
}

/** The password of every account in these scenarios. */
export const PASSWORD = 'Chalk-and-1nk';
