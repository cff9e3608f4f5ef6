/** The actions of games. */

import { type MockGame, seat } from './game';
import type { ActionRoutes } from './http';
import { paged } from './paging';
import { conflict, invalid, notFound, notYourself, Refusal } from './refusal';
import type { World } from './world';

export const games: ActionRoutes<'game'> = {
  get_game: (world, { gameId }) => ({ game: seenGame(world, gameId).state() }),
  get_games_by_event: (world, { eventId, userId, ...page }) => {
    const isOf = ({ seats }: MockGame) => userId === undefined || seats.some((each) => each.userId === userId);
    return list(world, world.gamesOf(eventId).filter(isOf), page);
  },
  get_games_by_user: (world, { userId, status, ...page }) => {
    acting(world, userId);
    const isWanted = (game: MockGame) => status === undefined || status.includes(game.status);
    return list(world, world.games(userId).filter(isWanted), page);
  },
  spectatable_games: (world, { eventId }) => {
    return list(
      world,
      world.gamesOf(eventId).filter(({ isOver }) => !isOver),
      {},
    );
  },
  get_replay: (world, { gameId, shareToken }) => {
    if ((gameId === undefined) === (shareToken === undefined)) {
      throw new Refusal(400, 'malformed', 'One of shareToken and gameId is needed.');
    }
    const game = shareToken === undefined ? seenGame(world, gameId ?? '') : world.shared(shareToken);
    return { replay: finished(game).replay() };
  },
  create_game: (world, { gameId = crypto.randomUUID(), players, initiatorUserId, boardSize = 3 }) => {
    const user = acting(world, initiatorUserId);
    const others = players.filter(({ userId }) => userId !== user.userId);
    if (players.length - others.length !== 1 || others.length > 1) {
      throw invalid('players', 'You and at most one other player.');
    }
    const seats = others.map(({ userId }) => seat(world.find((each) => each.userId === userId)));
    return { game: world.create(gameId, [user, ...seats], boardSize).entry(user.userId) };
  },
  make_move: (world, { gameId, userId, row, col, version }) => {
    const game = world.game(gameId);
    world.move(game, acting(world, userId).userId, row, col, version);
    return { game: game.state() };
  },
  end_game: (world, { gameId, userId }) => {
    const game = world.game(gameId);
    world.forfeit(game, acting(world, userId).userId);
    return { game: game.state() };
  },
  cancel_game: (world, { gameId, userId }) => {
    const game = world.game(gameId);
    world.cancel(game, acting(world, userId));
    return { game: game.state() };
  },
  claim_seat: (world, { gameId, inviteToken }) => {
    const game = world.game(gameId);
    game.claim(acting(world), inviteToken);
    return { game: game.state() };
  },
  play_again: (world, { gameId }) => ({
    game: world.playAgain(ownGame(world, gameId)).entry(world.user.userId),
  }),
  claim_win: (world, { gameId }) => {
    ownGame(world, gameId);
    throw conflict('opponent-present', 'Your opponent is in the game.');
  },
  share_game: (world, { gameId }) => ({ shareToken: world.share(finished(ownGame(world, gameId))) }),
};

function list(world: World, all: MockGame[], page: { page?: number; limit?: number }) {
  const { userId } = world.user;
  const { items, pagination } = paged(all, page);
  return { games: items.map((game) => game.entry(userId)), pagination };
}

/** The signed-in person, whom the payload may also name. */
export function acting(world: World, userId?: string) {
  const { user } = world;
  if (userId !== undefined && userId !== user.userId) throw notYourself();
  return seat(user);
}

/** One's own game, or one of an event. */
function seenGame(world: World, gameId: string): MockGame {
  return world.isSignedIn && world.game(gameId).event !== undefined ? world.game(gameId) : ownGame(world, gameId);
}

function ownGame(world: World, gameId: string): MockGame {
  const { userId } = world.user;
  const game = world.game(gameId);
  if (!game.seats.some((each) => each.userId === userId)) throw notFound('Game');
  return game;
}

function finished(game: MockGame): MockGame {
  if (game.status !== 'completed') throw conflict('game-not-over', 'The game is not over yet.');
  return game;
}
