/** The mock of the realtime channel. */

import { ws, type WebSocketHandler } from 'msw';
import type { Ack, ClientEvent, ClientEvents, ServerEvents } from '@/realtime/protocol';
import { acting, mayWatch, ownGame, placed } from './games';
import { directed } from './hosting';
import type { MockGame } from './mockGame';
import { adminsOnly, notFound, Refusal } from './refusal';
import type { MockServer } from './mockServer';
import type { Send } from './rooms';

type Frames = { [E in ClientEvent]: (mock: MockServer, data: ClientEvents[E], send: Send) => void };

const frames: Frames = {
  authenticate: (mock, { userId }, send) => {
    const who = mock.viewer === undefined && userId === undefined ? {} : { userId: acting(mock, userId).userId };
    send('authenticated', { ...who, socketId: crypto.randomUUID() });
  },
  joinGame: (mock, { gameId, userId }, send) => {
    const game = mock.game(gameId);
    mock.enter(game, acting(mock, userId).userId);
    send('gameJoined', joined(mock, game));
  },
  makeMove: (mock, { gameId, userId, row, col, version }) =>
    mock.move(placed(mock, gameId, row, col), acting(mock, userId).userId, row, col, version),
  forfeitGame: (mock, { gameId, userId }) => mock.forfeit(mock.game(gameId), acting(mock, userId).userId),
  cancelGame: (mock, { gameId, userId }) => mock.cancel(mock.game(gameId), acting(mock, userId)),
  leaveGameRoom: (mock, { userId, gameId }) => {
    if (userId !== undefined) acting(mock, userId);
    mock.rooms.unwatch(gameId);
  },
  spectateGame: (mock, { gameId }, send) => {
    const game = mock.game(gameId);
    if (mock.viewer === undefined) {
      if (game.event === undefined || !mayWatch(mock, game)) throw notFound('Game');
      mock.rooms.watch(game);
      return send('gameJoined', joined(mock, game));
    }
    const { userId, isAdmin } = mock.user;
    if (game.seats.some((each) => each.userId === userId)) return frames.joinGame(mock, { gameId }, send);
    if (!isAdmin && !mayWatch(mock, game)) throw notFound('Game');
    mock.rooms.watch(game);
    send('gameJoined', joined(mock, game));
  },
  playAgain: (mock, { gameId }, send) => {
    const next = mock.playAgain(ownGame(mock, gameId));
    frames.joinGame(mock, { gameId: next.gameId }, send);
  },
  subscribeLiveGames: (mock, _data, send) => {
    const { userId, isAdmin } = mock.user;
    if (!isAdmin) throw adminsOnly();
    const games = mock.liveGames().map((game) => ({ ...game.summary(userId), watchers: mock.watchers(game) }));
    send('liveGamesChanged', { serverTime: new Date().toISOString(), games, ended: [] });
  },
  watchLive: (mock, { limit }, send) => mock.liveNow.follow(send, limit),
  unwatchLive: (mock, _data, send) => mock.liveNow.unfollow(send),
  watchPresence: (mock, { eventId }, send) => mock.presence.follow(mock, directed(mock, eventId), send),
  unwatchPresence: (mock, { eventId }, send) => mock.presence.unfollow(send, eventId),
  react: (mock, { gameId, reaction }) => mock.react(mock.game(gameId), mock.user.userId, reaction),
  joinEventRoom: (mock, { eventId, userId }) => {
    acting(mock, userId);
    mock.events.enterRoom(mock.events.event(eventId), mock.user);
  },
  leaveEventRoom: (mock, { eventId, userId }) => {
    acting(mock, userId);
    mock.events.leaveRoom(eventId);
  },
  findMatch: (mock, { eventId, userId }) => {
    acting(mock, userId);
    mock.events.findMatch(mock.events.event(eventId), mock.user, mock.searchMs);
  },
  cancelMatchmaking: (mock, { eventId, userId }) => {
    acting(mock, userId);
    mock.events.cancelMatchmaking(eventId);
  },
  quickMatchJoin: (mock, wish, send) => mock.quickMatches.join(wish, send),
  quickMatchLeave: (mock, _data, send) => {
    mock.quickMatches.leave();
    send('quickMatchEnded', { message: 'You stopped looking for an opponent.' });
  },
  subscribeLogs: (mock, { filter = {} }, send) => {
    if (!mock.user.isAdmin) throw adminsOnly();
    mock.logs.follow(send, filter);
  },
};

const FOR_VISITORS: readonly ClientEvent[] = ['authenticate', 'spectateGame', 'leaveGameRoom'];

/** Throws for visitors. */
const mustBeSignedIn = ({ user }: MockServer) => void user;

/** What a connection gets that opens a game. */
function joined(mock: MockServer, game: MockGame): ServerEvents['gameJoined'] {
  return {
    gameId: game.gameId,
    success: true,
    gameState: game.state(),
    watchers: mock.watchers(game),
    ...(game.status === 'waiting' ? { message: 'Waiting for Opponent' } : {}),
    ...(game.previous === undefined ? {} : { previousGameId: game.previous.gameId }),
  };
}

/** A connection to the mock: what the client sends goes in by `receive`, and `write` gets what the mock sends. */
export function openMockSocket(mock: MockServer, write: (text: string) => void) {
  const send: Send = (event, data) => write(JSON.stringify({ event, data }));
  const stop = mock.listen(send);
  return {
    close: () => {
      stop();
      mock.logs.unfollow(send);
      mock.liveNow.unfollow(send);
      mock.presence.unfollowAll(send);
    },
    receive: (text: string) => {
      const { event, data, id } = JSON.parse(text) as { event: ClientEvent; data: never; id?: string };
      const acknowledge = (data: Ack) => {
        if (id !== undefined) write(JSON.stringify({ event: 'ack', id, data }));
      };
      try {
        // Visitors only watch.
        if (!FOR_VISITORS.includes(event)) mustBeSignedIn(mock);
        frames[event](mock, data, send);
        acknowledge({ succeeded: true });
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        acknowledge({ succeeded: false, errorCode: error.code, errorMessage: error.message });
        sendRefusal(mock, send, event, data, error);
      }
    },
  };
}

export function realtimeHandler(mock: MockServer): WebSocketHandler {
  return ws.link(/\/api\/backend\/realtime$/).addEventListener('connection', ({ client }) => {
    const socket = openMockSocket(mock, (text) => client.send(text));
    client.addEventListener('close', () => socket.close());
    client.addEventListener('message', ({ data: text }) => socket.receive(String(text)));
  });
}

/** Sends the event that reports a refused frame. */
function sendRefusal(
  mock: MockServer,
  send: Send,
  event: ClientEvent,
  data: unknown,
  { code, message }: Refusal,
): void {
  switch (event) {
    case 'makeMove': {
      const { gameId, row, col } = data as ClientEvents['makeMove'];
      const rejected: ServerEvents['moveRejected'] = { gameId, error: message, errorCode: code, row, col };
      const version = mock.hasGame(gameId) ? { version: mock.game(gameId).version } : {};
      return send('moveRejected', { ...rejected, ...version });
    }
    case 'joinGame': {
      const { gameId } = data as ClientEvents['joinGame'];
      return send('gameJoined', { gameId, success: false, error: message });
    }
    case 'spectateGame':
    case 'forfeitGame':
    case 'cancelGame': {
      const { gameId } = data as ClientEvents['spectateGame'];
      return send('gameError', { gameId, error: message });
    }
    default:
      return send('error', { message, errorCode: code, event });
  }
}
