/** The actions of invite games. */

import type { MockGame } from './game';
import type { ActionRoutes } from './http';
import { conflict, invalid, notBuilt, notFound, notYourself, Refusal } from './refusal';
import { seat, type World } from './world';

const PAGE = 50;

export const games: ActionRoutes<'game'> = {
  get_game: (world, { gameId }) => ({ game: ownGame(world, gameId).state() }),
  get_games_by_event: notBuilt,
  get_games_by_user: (world, { userId, status, page = 1, limit = PAGE }) => {
    acting(world, userId);
    const all = world.games(userId).filter((game) => status === undefined || status.includes(game.status));
    const start = (page - 1) * limit;
    return {
      games: all.slice(start, start + limit).map((game) => game.entry(userId)),
      pagination: {
        currentPage: page,
        limit,
        totalCount: all.length,
        hasPrevPage: page > 1,
        hasNextPage: start + limit < all.length,
      },
    };
  },
  spectatable_games: notBuilt,
  get_replay: (world, { gameId, shareToken }) => {
    if ((gameId === undefined) === (shareToken === undefined)) {
      throw new Refusal(400, 'malformed', 'One of shareToken and gameId is needed.');
    }
    const game = shareToken === undefined ? ownGame(world, gameId ?? '') : world.shared(shareToken);
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

/** The signed-in person, whom the payload may also name. */
export function acting(world: World, userId?: string) {
  const { user } = world;
  if (userId !== undefined && userId !== user.userId) throw notYourself();
  return seat(user);
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
