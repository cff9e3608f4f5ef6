import { decodeFrame } from './decode';
import type { Ack, ClientEvent, ClientEvents, ServerEvent, ServerEvents } from './protocol';

/** Reconnection: docs/behaviour/webapp.md#connection. */
export const RECONNECT_DELAY_MS = 1_000;
export const RECONNECT_MAX_DELAY_MS = 5_000;
export const RECONNECT_JITTER = 0.5;
export const CONNECT_TIMEOUT_MS = 20_000;
/** A response that takes longer is not expected any more: the connection or the server is gone. */
export const ACK_TIMEOUT_MS = 10_000;
/** After this time without a frame the connection is probed; the server's pings are invisible to scripts. */
export const HEARTBEAT_MS = 25_000;
/** How long a probe may take: after a change of networks a phone should not wait for TCP's time-out. */
export const PROBE_TIMEOUT_MS = 4_000;
/** The same while a game is played, whose turns may take 15 s: a dead connection is replaced well within a turn. */
export const PLAY_HEARTBEAT_MS = 5_000;
export const PLAY_PROBE_TIMEOUT_MS = 1_500;
export const PLAY_CONNECT_TIMEOUT_MS = 4_000;
/** The most pending requests; more means a bug. */
const MAX_PENDING = 64;

export type ConnectionStatus = 'idle' | 'connecting' | 'connected' | 'reconnecting';

export class RealtimeError extends Error {
  override readonly name = 'RealtimeError';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }

  /** Whether the server did not answer: it may have received the frame or not. */
  get isUnanswered(): boolean {
    return this.code === 'disconnected' || this.code === 'timeout';
  }
}

interface Pending {
  settle: (ack: Ack) => void;
  fail: (error: RealtimeError) => void;
  timer: ReturnType<typeof setTimeout>;
}

interface Options {
  url: () => string;
  createSocket?: (url: string) => WebSocket;
  /** 0 to 1. */
  random?: () => number;
}

/** Who is connected without being signed in, to watch. */
const VISITOR = '';
/** Visitors come back later than players do: pages work without them, and the server may have no room. */
const VISITOR_PATIENCE = 6;

type Handler<E extends ServerEvent> = (data: ServerEvents[E]) => void;

/**
 * The websocket of the page. It stays connected from `connect` to `close`, reconnecting as needed. Listeners receive
 * every frame; a request resolves with the acknowledgement or rejects with a `RealtimeError`. Frames are not queued:
 * a caller that needs one to arrive sends it again after the next `connected` (a move carries its version, so that
 * the server plays it once).
 */
export class RealtimeConnection {
  readonly #options: Required<Options>;
  readonly #handlers = new Map<ServerEvent, Set<Handler<never>>>();
  readonly #statusHandlers = new Set<(status: ConnectionStatus) => void>();
  readonly #failureHandlers = new Set<(failures: number) => void>();
  readonly #pending = new Map<string, Pending>();
  #status: ConnectionStatus = 'idle';
  #socket: WebSocket | undefined;
  #userId: string | undefined;
  /** How many parts of the page show what visitors may watch. */
  #visits = 0;
  /** Failed attempts since the last connection. */
  #failures = 0;
  #everConnected = false;
  #nextId = 0;
  /** How many games are being played on this page. */
  #games = 0;
  /** Probes in a row that were not answered in time: the next one may take longer, on a slow network or server. */
  #givenUp = 0;
  #isProbing = false;
  /** Whether the server has named the user since the connection was opened. */
  #isAuthenticated = false;
  /** The last one measured, in milliseconds. */
  #roundTripMs = 0;
  #drainDelay: number | undefined;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  #connectTimer: ReturnType<typeof setTimeout> | undefined;
  #heartbeatTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: Options) {
    this.#options = { createSocket: (url) => new WebSocket(url), random: Math.random, ...options };
  }

  get status(): ConnectionStatus {
    return this.#status;
  }

  /** Connects as this user and stays connected. Connecting again as the same user does nothing. */
  connect(userId: string): void {
    if (this.#userId === userId) return;
    this.#end();
    this.#userId = userId;
    window.addEventListener('online', this.#wake);
    document.addEventListener('visibilitychange', this.#wake);
    this.#open();
  }

  /** Until the returned function is called somebody who is not signed in is connected too, to watch. */
  visit(): () => void {
    this.#visits += 1;
    if (this.#userId === undefined) this.connect(VISITOR);
    return () => {
      this.#visits -= 1;
      if (this.#visits === 0 && this.#userId === VISITOR) this.#end();
    };
  }

  /** Closes the connection for good; pending requests fail. What visitors may watch is watched further. */
  close(): void {
    if (this.#userId === VISITOR && this.#visits > 0) return;
    this.#end();
    if (this.#visits > 0) this.connect(VISITOR);
  }

  #end(): void {
    this.#userId = undefined;
    this.#everConnected = false;
    this.#failures = 0;
    window.removeEventListener('online', this.#wake);
    document.removeEventListener('visibilitychange', this.#wake);
    clearTimeout(this.#retryTimer);
    this.#retryTimer = undefined;
    this.#drop();
    this.#setStatus('idle');
  }

  /** Reconnects at once, replacing a hanging attempt; probes an open connection. */
  retry(): void {
    if (this.#retryTimer !== undefined) {
      this.#open();
    } else if (this.#socket?.readyState === WebSocket.CONNECTING) {
      this.#drop();
      this.#open();
    } else {
      this.#probe();
    }
  }

  /** Until the returned function is called a dead connection is noticed, and replaced, much sooner: a game is played. */
  attend(): () => void {
    this.#games += 1;
    if (this.#socket?.readyState === WebSocket.OPEN) this.#expectHeartbeat();
    return () => {
      this.#games -= 1;
    };
  }

  /** Probes an open connection now; something that was sent takes longer than it should. */
  check(): void {
    this.#probe();
  }

  on<E extends ServerEvent>(event: E, handler: Handler<E>): () => void {
    const handlers = this.#handlers.get(event) ?? new Set();
    this.#handlers.set(event, handlers);
    handlers.add(handler as Handler<never>);
    return () => handlers.delete(handler as Handler<never>);
  }

  onStatus(handler: (status: ConnectionStatus) => void): () => void {
    this.#statusHandlers.add(handler);
    return () => this.#statusHandlers.delete(handler);
  }

  /** Reports failed attempts and how many in a row: the session may be over. */
  onFailure(handler: (failures: number) => void): () => void {
    this.#failureHandlers.add(handler);
    return () => this.#failureHandlers.delete(handler);
  }

  /** Sends a frame without waiting for a response; without a connection it is lost. */
  send<E extends ClientEvent>(event: E, data: ClientEvents[E]): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify({ event, data }));
  }

  /**
   * Sends a frame and waits for its acknowledgement.
   * @throws RealtimeError with the server's code and message when it refuses, or `disconnected`, `timeout`, `overloaded`.
   */
  request<E extends ClientEvent>(event: E, data: ClientEvents[E], timeoutMs = ACK_TIMEOUT_MS): Promise<Ack> {
    const socket = this.#socket;
    if (socket?.readyState !== WebSocket.OPEN) {
      return Promise.reject(new RealtimeError('disconnected', 'Not connected to the game server.'));
    }
    if (this.#pending.size >= MAX_PENDING) {
      return Promise.reject(new RealtimeError('overloaded', 'Too many requests are waiting for an answer.'));
    }
    const id = String((this.#nextId += 1));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#pending.delete(id);
        reject(new RealtimeError('timeout', 'The game server did not answer.'));
      }, timeoutMs);
      this.#pending.set(id, {
        timer,
        fail: reject,
        settle: (ack) => {
          if (ack.succeeded) resolve(ack);
          else reject(new RealtimeError(ack.errorCode ?? 'refused', ack.errorMessage ?? 'Request failed'));
        },
      });
      socket.send(JSON.stringify({ event, data, id }));
    });
  }

  #open(): void {
    clearTimeout(this.#retryTimer);
    this.#retryTimer = undefined;
    this.#setStatus(this.#everConnected ? 'reconnecting' : 'connecting');
    const socket = this.#options.createSocket(this.#options.url());
    this.#socket = socket;
    this.#isProbing = false;
    this.#isAuthenticated = false;
    const startedAt = Date.now();
    const limit = this.#connectTimeout();
    this.#connectTimer = setTimeout(() => this.#lost(socket, limit), limit);
    socket.addEventListener('open', () => {
      // At least two round trips.
      this.#roundTripMs = (Date.now() - startedAt) / 2;
      this.#opened(socket);
    });
    socket.addEventListener('message', ({ data }) => {
      if (socket === this.#socket) this.#received(String(data));
    });
    socket.addEventListener('close', () => this.#lost(socket));
  }

  #opened(socket: WebSocket): void {
    if (socket !== this.#socket) return;
    clearTimeout(this.#connectTimer);
    this.#everConnected = true;
    this.#failures = 0;
    this.#drainDelay = undefined;
    this.send('authenticate', this.#identity());
    this.#expectHeartbeat();
    this.#setStatus('connected');
  }

  #received(text: string): void {
    this.#expectHeartbeat();
    const frame = decodeFrame(text);
    if (frame === undefined) return;
    if (frame.event === 'ack') {
      const pending = this.#pending.get(frame.id);
      if (pending === undefined) return;
      this.#pending.delete(frame.id);
      clearTimeout(pending.timer);
      pending.settle(frame.data);
      return;
    }
    if (frame.event === 'authenticated') {
      // In a game probes are frequent, and no news: pages need not read everything again.
      if (this.#isAuthenticated && this.#isProbing && this.#games > 0) return;
      this.#isAuthenticated = true;
    }
    if (frame.event === 'serverDraining') this.#drainDelay = frame.data.reconnectInMs;
    for (const handler of this.#handlers.get(frame.event) ?? []) handler(frame.data as never);
  }

  /**
   * Handles a lost socket and schedules the next attempt. `waitedMs` is how long its answer was waited for: that counts
   * towards the delay. Sockets that the server closed are replaced after the whole delay, or all clients would come back at
   * the same time.
   */
  #lost(socket: WebSocket, waitedMs = 0): void {
    if (socket !== this.#socket) return;
    this.#drop();
    if (this.#userId === undefined) return;
    this.#setStatus(this.#everConnected ? 'reconnecting' : 'connecting');
    const patience = this.#userId === VISITOR ? VISITOR_PATIENCE : 1;
    const wait = patience * backoff(this.#failures, this.#options.random());
    const delay = this.#drainDelay ?? Math.max(0, wait - waitedMs);
    this.#failures += 1;
    for (const handler of this.#failureHandlers) handler(this.#failures);
    // A handler may have closed the connection.
    if (this.#status !== 'idle') this.#retryTimer = setTimeout(() => this.#open(), delay);
  }

  #drop(): void {
    clearTimeout(this.#connectTimer);
    clearTimeout(this.#heartbeatTimer);
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
    for (const [id, { fail, timer }] of [...this.#pending]) {
      this.#pending.delete(id);
      clearTimeout(timer);
      fail(new RealtimeError('disconnected', 'The connection to the game server was lost.'));
    }
  }

  #expectHeartbeat(): void {
    clearTimeout(this.#heartbeatTimer);
    this.#heartbeatTimer = setTimeout(() => this.#probe(), this.#games > 0 ? PLAY_HEARTBEAT_MS : HEARTBEAT_MS);
  }

  /** Probes the connection and replaces it if it does not respond. */
  #probe(): void {
    const socket = this.#socket;
    if (socket?.readyState !== WebSocket.OPEN || this.#isProbing) return;
    this.#isProbing = true;
    const limit = this.#probeTimeout();
    const sentAt = Date.now();
    this.request('authenticate', this.#identity(), limit).then(
      () => {
        if (socket !== this.#socket) return;
        this.#isProbing = false;
        this.#givenUp = 0;
        this.#roundTripMs = Date.now() - sentAt;
      },
      (error: unknown) => {
        if (socket !== this.#socket) return;
        this.#isProbing = false;
        if (!(error instanceof RealtimeError) || error.code !== 'timeout') return;
        this.#givenUp += 1;
        this.#lost(socket, limit);
      },
    );
  }

  #probeTimeout(): number {
    if (this.#games === 0) return PROBE_TIMEOUT_MS;
    const patience = PLAY_PROBE_TIMEOUT_MS * 2 ** Math.min(this.#givenUp, 10);
    return Math.min(PROBE_TIMEOUT_MS, Math.max(patience, 2 * this.#roundTripMs));
  }

  /**
   * In a game a hanging attempt is soon replaced: the network may be back, and a system asks it ever more rarely. Each gets
   * half as much time again, as a slow network needs.
   */
  #connectTimeout(): number {
    if (this.#games === 0) return CONNECT_TIMEOUT_MS;
    return Math.min(CONNECT_TIMEOUT_MS, PLAY_CONNECT_TIMEOUT_MS * (1 + Math.max(0, this.#failures - 1) / 2));
  }

  /** The network or the user is back: reconnect now. */
  readonly #wake = (): void => {
    if (document.visibilityState !== 'hidden') this.retry();
  };

  #identity(): ClientEvents['authenticate'] {
    return this.#userId === undefined || this.#userId === VISITOR ? {} : { userId: this.#userId };
  }

  #setStatus(status: ConnectionStatus): void {
    if (status === this.#status) return;
    this.#status = status;
    for (const handler of this.#statusHandlers) handler(status);
  }
}

/** Doubles from 1 s to 5 s, with a jitter of up to half of it either way (`random` 0 to 1), never above 5 s. */
export function backoff(failures: number, random: number): number {
  const delay = Math.min(RECONNECT_MAX_DELAY_MS, RECONNECT_DELAY_MS * 2 ** Math.min(failures, 10));
  return Math.min(RECONNECT_MAX_DELAY_MS, delay * (1 + RECONNECT_JITTER * (2 * random - 1)));
}

/** The URL of the realtime endpoint. */
export function realtimeUrl(): string {
  const { protocol, host } = window.location;
  return `${protocol === 'https:' ? 'wss' : 'ws'}://${host}/api/backend/realtime`;
}
