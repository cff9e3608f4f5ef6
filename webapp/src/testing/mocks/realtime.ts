/** The mock of the realtime channel. */

import { ws, type WebSocketHandler } from 'msw';
import type { Ack, ClientEvent, ClientEvents, ServerEvents } from '@/realtime/protocol';
import { acting, placed } from './games';
import { adminsOnly, notFound, Refusal } from './refusal';
import type { Tell, World } from './world';

type Frames = { [E in ClientEvent]: (world: World, data: ClientEvents[E], tell: Tell) => void };

const frames: Frames = {
  authenticate: (world, { userId }, tell) => {
    tell('authenticated', { userId: acting(world, userId).userId, socketId: crypto.randomUUID() });
  },
  joinGame: (world, { gameId, userId }, tell) => {
    const game = world.game(gameId);
    world.enter(game, acting(world, userId).userId);
    const message = game.status === 'waiting' ? { message: 'Waiting for Opponent' } : {};
    tell('gameJoined', { gameId, success: true, gameState: game.state(), ...message });
  },
  makeMove: (world, { gameId, userId, row, col, version }) =>
    world.move(placed(world, gameId, row, col), acting(world, userId).userId, row, col, version),
  forfeitGame: (world, { gameId, userId }) => world.forfeit(world.game(gameId), acting(world, userId).userId),
  cancelGame: (world, { gameId, userId }) => world.cancel(world.game(gameId), acting(world, userId)),
  leaveGameRoom: (world, { userId, gameId }) => {
    acting(world, userId);
    world.unwatch(gameId);
  },
  spectateGame: (world, { gameId }, tell) => {
    const game = world.game(gameId);
    const { userId, isAdmin } = world.user;
    if (game.seats.some((each) => each.userId === userId)) return frames.joinGame(world, { gameId }, tell);
    if (!isAdmin && game.event === undefined) throw notFound('Game');
    world.watch(game);
    tell('gameJoined', { gameId, success: true, gameState: game.state() });
  },
  subscribeLiveGames: (world, _data, tell) => {
    const { userId, isAdmin } = world.user;
    if (!isAdmin) throw adminsOnly();
    const games = world.liveGames().map((game) => game.entry(userId));
    tell('liveGamesChanged', { serverTime: new Date().toISOString(), games, ended: [] });
  },
  joinEventRoom: (world, { eventId, userId }) => {
    acting(world, userId);
    world.arena.enterRoom(world.arena.event(eventId), world.user);
  },
  leaveEventRoom: (world, { eventId, userId }) => {
    acting(world, userId);
    world.arena.leaveRoom(eventId);
  },
  findMatch: (world, { eventId, userId }) => {
    acting(world, userId);
    world.arena.findMatch(world.arena.event(eventId), world.user, world.searchMs);
  },
  cancelMatchmaking: (world, { eventId, userId }) => {
    acting(world, userId);
    world.arena.cancelMatchmaking(eventId);
  },
  subscribeLogs: (world, { filter = {} }, tell) => {
    if (!world.user.isAdmin) throw adminsOnly();
    world.logs.follow(tell, filter);
  },
};

export function realtimeHandler(world: World): WebSocketHandler {
  return ws.link(/\/api\/backend\/realtime$/).addEventListener('connection', ({ client }) => {
    if (!world.isSignedIn) {
      client.close();
      return;
    }
    const tell: Tell = (event, data) => client.send(JSON.stringify({ event, data }));
    const stop = world.listen(tell);
    client.addEventListener('close', () => {
      stop();
      world.logs.unfollow(tell);
    });
    client.addEventListener('message', ({ data: text }) => {
      const { event, data, id } = JSON.parse(String(text)) as { event: ClientEvent; data: never; id?: string };
      const acknowledge = (data: Ack) => {
        if (id !== undefined) client.send(JSON.stringify({ event: 'ack', id, data }));
      };
      try {
        frames[event](world, data, tell);
        acknowledge({ succeeded: true });
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        acknowledge({ succeeded: false, errorCode: error.code, errorMessage: error.message });
        tellRefusal(world, tell, event, data, error);
      }
    });
  });
}

/** The named answer to a frame that was refused. */
function tellRefusal(world: World, tell: Tell, event: ClientEvent, data: unknown, { code, message }: Refusal): void {
  switch (event) {
    case 'makeMove': {
      const { gameId, row, col } = data as ClientEvents['makeMove'];
      const rejected: ServerEvents['moveRejected'] = { gameId, error: message, errorCode: code, row, col };
      const version = world.hasGame(gameId) ? { version: world.game(gameId).version } : {};
      return tell('moveRejected', { ...rejected, ...version });
    }
    case 'joinGame': {
      const { gameId } = data as ClientEvents['joinGame'];
      return tell('gameJoined', { gameId, success: false, error: message });
    }
    case 'spectateGame':
    case 'forfeitGame':
    case 'cancelGame': {
      const { gameId } = data as ClientEvents['spectateGame'];
      return tell('gameError', { gameId, error: message });
    }
    default:
      return tell('error', { message, errorCode: code, event });
  }
}
