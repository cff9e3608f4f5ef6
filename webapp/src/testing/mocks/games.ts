/** The actions of games. */

import { BOARD_SIZES, isBoardSize } from '@/shared/rules';
import { type MockGame, seat } from './game';
import type { ActionRoutes } from './http';
import { MOST_ROWS, paged } from './paging';
import { conflict, invalid, notAPlayer, notFound, notYourself, Refusal } from './refusal';
import type { World } from './world';

/** Games of a page, if the caller does not say. */
const PAGE = 20;
const NIL = '00000000-0000-0000-0000-000000000000';
const STILL_PLAYED = 'The game is still being played.';
/** An invite game's level. */
const LEVEL = 1;

export const games: ActionRoutes<'game'> = {
  get_game: (world, { gameId }) => ({ game: seenGame(world, gameId).state(world.user.userId) }),
  get_games_by_event: (world, { eventId, userId, ...page }) => {
    const isOf = ({ seats }: MockGame) => userId === undefined || seats.some((each) => each.userId === userId);
    const all = gamesOf(world, eventId).filter(isOf);
    // What is played comes first.
    return list(world, [...all.filter(({ isOver }) => !isOver), ...all.filter(({ isOver }) => isOver)], page);
  },
  get_games_by_user: (world, { userId, status, ...page }) => {
    if (!world.user.isAdmin) acting(world, userId);
    const isWanted = (game: MockGame) => status === undefined || status.includes(game.status);
    return list(world, world.games(userId).filter(isWanted), page, userId);
  },
  spectatable_games: (world, { eventId }) => {
    const live = gamesOf(world, eventId).filter(({ isOver }) => !isOver);
    return list(world, live, { limit: MOST_ROWS });
  },
  get_replay: (world, { gameId, shareToken }) => {
    if ((gameId === undefined) === (shareToken === undefined)) {
      throw new Refusal(400, 'malformed', 'One of shareToken and gameId is needed.');
    }
    const game = shareToken === undefined ? seenGame(world, gameId ?? '') : world.shared(shareToken);
    if (!game.isOver) throw conflict('game-not-over', STILL_PLAYED);
    return { replay: game.replay() };
  },
  create_game: (world, { gameId, players, initiatorUserId, gameType, eventId, level = LEVEL, boardSize = 3 }) => {
    const user = acting(world, initiatorUserId);
    if (gameType !== 'invite') throw invalid('gameType', 'Event games are made by the matchmaker.');
    if (gameId === NIL) throw invalid('gameId', 'A random UUID is needed.');
    if (gameId !== undefined && eventId !== undefined && eventId !== `remote-${gameId}`) {
      throw invalid('eventId', "An invite game's eventId is 'remote-' and the gameId.");
    }
    if (level !== LEVEL) throw invalid('level', 'An invite game has level 1.');
    if (!isBoardSize(boardSize)) throw invalid('boardSize', 'A board has 3 to 6 cells a side.');
    const others = players.filter(({ userId }) => userId !== user.userId);
    if (players.length - others.length !== 1 || others.length > 1) {
      throw invalid('players', 'You and at most one other player.');
    }
    world.admitInvite();
    const seats = others.map(({ userId }) => seat(world.find((each) => each.userId === userId)));
    return { game: world.create(gameId ?? crypto.randomUUID(), [user, ...seats], boardSize).entry(user.userId) };
  },
  make_move: (world, { gameId, userId, row, col, version }) => {
    const self = acting(world, userId);
    const game = placed(world, gameId, row, col);
    world.move(game, self.userId, row, col, version);
    return { game: game.state(self.userId) };
  },
  end_game: (world, { gameId, userId }) => {
    const self = acting(world, userId);
    const game = world.game(gameId);
    world.forfeit(game, self.userId);
    return { game: game.state(self.userId) };
  },
  cancel_game: (world, { gameId, userId }) => {
    const self = acting(world, userId);
    const game = world.game(gameId);
    world.cancel(game, self);
    return { game: game.state(self.userId) };
  },
  claim_seat: (world, { gameId, inviteToken }) => {
    const self = acting(world);
    const game = world.game(gameId);
    game.claim(self, inviteToken);
    return { game: game.state(self.userId) };
  },
  play_again: (world, { gameId }) => {
    const game = ownGame(world, gameId);
    return { game: world.playAgain(game).entry(world.user.userId) };
  },
  claim_win: (world, { gameId }) => {
    const game = ownGame(world, gameId);
    game.mustBeActive();
    if (game.event !== undefined) throw inviteOnly();
    throw conflict('opponent-present', 'Your opponent is in the game.');
  },
  share_game: (world, { gameId }) => {
    const game = ownGame(world, gameId);
    if (!game.isOver) throw conflict('game-not-over', 'Only a finished game can be shared.');
    return { shareToken: world.share(game) };
  },
};

/** The newest first; `of` is whose list it is. */
function list(world: World, all: MockGame[], page: { page?: number; limit?: number }, of = world.user.userId) {
  const { items, pagination } = paged(all, page, PAGE);
  return { games: items.map((game) => game.entry(of)), pagination };
}

function gamesOf(world: World, eventId: string): MockGame[] {
  return world.user && world.gamesOf(world.arena.event(eventId).eventId);
}

/** A board that may have this cell, whatever its size. */
export function placed(world: World, gameId: string, row: number, col: number): MockGame {
  const isOnSome = [row, col].every((each) => each >= 0 && each < Math.max(...BOARD_SIZES));
  if (!isOnSome) throw new Refusal(422, 'off-board', 'This cell is not on the board.');
  return world.game(gameId);
}

/** The signed-in person, whom the payload may also name. */
export function acting(world: World, userId?: string) {
  const { user } = world;
  if (userId !== undefined && userId !== user.userId) throw notYourself();
  return seat(user);
}

/** One's own game, or one of an event; admins see all. */
function seenGame(world: World, gameId: string): MockGame {
  const { userId, isAdmin } = world.user;
  const game = world.game(gameId);
  const isSeen = isAdmin || game.event !== undefined || game.seats.some((each) => each.userId === userId);
  if (!isSeen) throw notFound('Game');
  return game;
}

function ownGame(world: World, gameId: string): MockGame {
  const { userId } = world.user;
  const game = world.game(gameId);
  if (!game.seats.some((each) => each.userId === userId)) throw notAPlayer();
  return game;
}

export function inviteOnly(): Refusal {
  return conflict('not-an-invite-game', 'This is possible in invite games only.');
}
