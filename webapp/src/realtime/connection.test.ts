import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  ACK_TIMEOUT_MS,
  backoff,
  CONNECT_TIMEOUT_MS,
  HEARTBEAT_MS,
  PLAY_CONNECT_TIMEOUT_MS,
  PLAY_HEARTBEAT_MS,
  PLAY_PROBE_TIMEOUT_MS,
  PROBE_TIMEOUT_MS,
  RealtimeConnection,
  RealtimeError,
} from './connection';
import { FakeSocket } from '@/testing/FakeSocket';

let connection: RealtimeConnection;

beforeEach(() => {
  vi.useFakeTimers();
  FakeSocket.all = [];
  connection = new RealtimeConnection({
    url: () => 'ws://test/api/backend/realtime',
    createSocket: (url) => new FakeSocket(url) as unknown as WebSocket,
    random: () => 0.5,
  });
});

afterEach(() => {
  connection.close();
  vi.useRealTimers();
});

function connected(): FakeSocket {
  connection.connect('u1');
  FakeSocket.last.open();
  return FakeSocket.last;
}

it.each([
  ['disconnected', true],
  ['timeout', true],
  ['refused', false],
])('a request that failed as %s may have been done: %s', (code, isUnanswered) => {
  expect(new RealtimeError(code, '').isUnanswered).toBe(isUnanswered);
});

describe('the realtime connection', () => {
  it('authenticates after connecting', () => {
    const socket = connected();
    expect(connection.status).toBe('connected');
    expect(socket.sent).toEqual([{ event: 'authenticate', data: { userId: 'u1' } }]);
  });

  it('connects visitors while something shows what they may watch, and lets players go first', () => {
    const leave = connection.visit();
    FakeSocket.last.open();
    expect(FakeSocket.last.sent).toEqual([{ event: 'authenticate', data: {} }]);
    // Somebody signs in, and out again.
    connection.connect('u1');
    FakeSocket.last.open();
    expect(FakeSocket.last.sent).toEqual([{ event: 'authenticate', data: { userId: 'u1' } }]);
    connection.close();
    expect(FakeSocket.all).toHaveLength(3);
    // There may be no room: they come back less often than players do.
    FakeSocket.last.close();
    vi.advanceTimersByTime(5_999);
    expect(FakeSocket.all).toHaveLength(3);
    vi.advanceTimersByTime(1);
    expect(FakeSocket.all).toHaveLength(4);
    leave();
    expect(connection.status).toBe('idle');
    vi.advanceTimersByTime(60_000);
    expect(FakeSocket.all).toHaveLength(4);
  });

  it('passes frames to listeners until they unsubscribe', () => {
    const socket = connected();
    const heard = vi.fn();
    const stop = connection.on('opponentReconnected', heard);
    socket.receive('opponentReconnected', { gameId: 'g', userId: 'u2' });
    stop();
    socket.receive('opponentReconnected', { gameId: 'g', userId: 'u2' });
    expect(heard).toHaveBeenCalledExactlyOnceWith({ gameId: 'g', userId: 'u2' });
  });

  it('ignores invalid frames', () => {
    const socket = connected();
    for (const text of ['', '[]', '{"data":{}}', 'null', '{"event":"newer","data":{}}']) socket.receiveText(text);
    expect(connection.status).toBe('connected');
  });

  it('gives each request its own acknowledgement', async () => {
    const socket = connected();
    const first = connection.request('joinGame', { gameId: 'a' });
    const second = connection.request('joinGame', { gameId: 'b' });
    const [, a, b] = socket.sent;
    socket.receive('ack', { succeeded: false, errorMessage: 'No such game', errorCode: 'unknown-game' }, b?.id);
    socket.receive('ack', { succeeded: true }, a?.id);
    await expect(first).resolves.toEqual({ succeeded: true });
    await expect(second).rejects.toMatchObject({ code: 'unknown-game', message: 'No such game' });
  });

  it('rejects requests without a response, and those pending when the connection is lost', async () => {
    const socket = connected();
    const slow = connection.request('joinGame', { gameId: 'a' }).catch((error: RealtimeError) => error.code);
    await vi.advanceTimersByTimeAsync(ACK_TIMEOUT_MS);
    expect(await slow).toBe('timeout');
    const lost = connection.request('joinGame', { gameId: 'a' }).catch((error: RealtimeError) => error.code);
    socket.close();
    expect(await lost).toBe('disconnected');
    await expect(connection.request('joinGame', { gameId: 'a' })).rejects.toMatchObject({ code: 'disconnected' });
  });

  it('reconnects after 1 s, doubling to at most 5 s, with jitter 0.5', () => {
    expect([0, 1, 2, 3, 50].map((failures) => backoff(failures, 0.5))).toEqual([1000, 2000, 4000, 5000, 5000]);
    expect([backoff(0, 0), backoff(0, 1), backoff(9, 1)]).toEqual([500, 1500, 5000]);
    connected().close();
    expect(connection.status).toBe('reconnecting');
    vi.advanceTimersByTime(999);
    expect(FakeSocket.all).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(FakeSocket.all).toHaveLength(2);
    FakeSocket.last.open();
    expect(connection.status).toBe('connected');
  });

  it('abandons an attempt after 20 s and tries again', () => {
    expect(CONNECT_TIMEOUT_MS).toBe(20_000);
    connection.connect('u1');
    expect(connection.status).toBe('connecting');
    vi.advanceTimersByTime(CONNECT_TIMEOUT_MS);
    expect(FakeSocket.all[0]?.readyState).toBe(WebSocket.CLOSED);
    vi.advanceTimersByTime(1000);
    expect(FakeSocket.all).toHaveLength(2);
  });

  it('reconnects at the time that a draining server gave', () => {
    const socket = connected();
    socket.receive('serverDraining', { reconnectInMs: 3000 });
    socket.close();
    vi.advanceTimersByTime(2999);
    expect(FakeSocket.all).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(FakeSocket.all).toHaveLength(2);
  });

  it('replaces a connection that is silent', async () => {
    const socket = connected();
    await vi.advanceTimersByTimeAsync(HEARTBEAT_MS);
    expect(socket.sent.at(-1)).toMatchObject({ event: 'authenticate', id: '1' });
    await vi.advanceTimersByTimeAsync(PROBE_TIMEOUT_MS);
    expect(connection.status).toBe('reconnecting');
  });

  it('does not wait when the network comes back', () => {
    connected().close();
    window.dispatchEvent(new Event('online'));
    expect(FakeSocket.all).toHaveLength(2);
  });

  it('does not wait for a hanging attempt when the user tries now', () => {
    connection.connect('u1');
    vi.advanceTimersByTime(5_000);
    connection.retry();
    expect(FakeSocket.all).toHaveLength(2);
    expect(FakeSocket.all[0]?.readyState).toBe(WebSocket.CLOSED);
    FakeSocket.last.open();
    expect(connection.status).toBe('connected');
    vi.advanceTimersByTime(CONNECT_TIMEOUT_MS);
    expect(FakeSocket.all).toHaveLength(2);
  });

  it('counts failed attempts in a row and stops when told to', () => {
    const failures = vi.fn();
    connection.onFailure(failures);
    connection.connect('u1');
    FakeSocket.last.close();
    vi.advanceTimersByTime(1000);
    FakeSocket.last.close();
    expect(failures.mock.calls).toEqual([[1], [2]]);
    connection.close();
    vi.advanceTimersByTime(60_000);
    expect(FakeSocket.all).toHaveLength(2);
    expect(connection.status).toBe('idle');
  });
});

describe('the realtime connection in a game', () => {
  const openSockets = () => FakeSocket.all.filter(({ readyState }) => readyState === WebSocket.OPEN);
  const answer = (socket: FakeSocket) => {
    const probe = socket.sent.filter(({ event }) => event === 'authenticate').at(-1);
    socket.receive('authenticated', { userId: 'u1', socketId: 's' });
    socket.receive('ack', { succeeded: true }, probe?.id);
  };

  /** In a game, as authenticated. */
  function playing(): FakeSocket {
    const socket = connected();
    socket.receive('authenticated', { userId: 'u1', socketId: 's' });
    connection.attend();
    return socket;
  }

  it('is given up and made anew within 3 s of something that should have been answered within 1 s', async () => {
    playing();
    await vi.advanceTimersByTimeAsync(1_000);
    connection.check();
    await vi.advanceTimersByTimeAsync(1_999);
    expect(FakeSocket.all).toHaveLength(2);
    FakeSocket.last.open();
    expect(connection.status).toBe('connected');
  });

  it('is probed after a few silent seconds, without news for the pages, and lazily again after the game', async () => {
    const socket = connected();
    const heard = vi.fn();
    connection.on('authenticated', heard);
    socket.receive('authenticated', { userId: 'u1', socketId: 's' });
    const leave = connection.attend();
    await vi.advanceTimersByTimeAsync(PLAY_HEARTBEAT_MS);
    expect(socket.sent).toHaveLength(2);
    answer(socket);
    expect(heard).toHaveBeenCalledOnce();
    leave();
    answer(socket);
    await vi.advanceTimersByTimeAsync(PLAY_HEARTBEAT_MS + PROBE_TIMEOUT_MS);
    expect(socket.sent).toHaveLength(2);
    expect(openSockets()).toEqual([socket]);
  });

  it('is not probed twice at a time', async () => {
    const socket = playing();
    connection.check();
    connection.check();
    await vi.advanceTimersByTimeAsync(0);
    expect(socket.sent).toHaveLength(2);
  });

  it('replaces attempts that hang without a break, each longer than the one before', async () => {
    playing();
    connection.check();
    await vi.advanceTimersByTimeAsync(PLAY_PROBE_TIMEOUT_MS + 1);
    expect(FakeSocket.all).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(PLAY_CONNECT_TIMEOUT_MS + 1);
    expect(FakeSocket.all).toHaveLength(3);
    await vi.advanceTimersByTimeAsync(PLAY_CONNECT_TIMEOUT_MS * 1.5 + 1);
    expect(FakeSocket.all).toHaveLength(4);
    expect(openSockets()).toEqual([]);
  });

  it('still waits before it comes back to a server that closed it', async () => {
    playing().close();
    await vi.advanceTimersByTimeAsync(999);
    expect(FakeSocket.all).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(FakeSocket.all).toHaveLength(2);
  });

  it('has patience with a network or a server that is slow', async () => {
    // Measured as long as it takes to connect.
    connection.connect('u1');
    await vi.advanceTimersByTimeAsync(3_000);
    FakeSocket.last.open();
    connection.attend();
    connection.check();
    await vi.advanceTimersByTimeAsync(2_900);
    expect(openSockets()).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(100);
    // The next one may take twice as long as the least.
    FakeSocket.last.open();
    connection.check();
    await vi.advanceTimersByTimeAsync(PLAY_PROBE_TIMEOUT_MS * 2 - 1);
    expect(openSockets()).toHaveLength(1);
  });
});
