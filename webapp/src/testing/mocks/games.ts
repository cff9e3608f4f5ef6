/** The actions of games. */

import { HttpResponse } from 'msw';
import { BOARD_SIZES, isBoardSize } from '@/shared/rules';
import { type MockGame, seat } from './mockGame';
import type { ActionRoutes, Routes } from './http';
import { MOST_ROWS, paged } from './paging';
import { conflict, invalid, notAPlayer, notFound, notYourself, Refusal } from './refusal';
import type { MockServer } from './mockServer';

/** The default number of games on a page. */
const PAGE = 20;
const NIL = '00000000-0000-0000-0000-000000000000';
const STILL_PLAYED = 'The game is still being played.';
/** An invite game's level. */
const LEVEL = 1;

export const games: ActionRoutes<'game'> = {
  get_game: (mock, { gameId }) => ({ game: seenGame(mock, gameId).state(mock.viewer?.userId) }),
  get_games_by_event: (mock, { eventId, userId, ...page }) => {
    const isOf = ({ seats }: MockGame) => userId === undefined || seats.some((each) => each.userId === userId);
    const all = gamesOf(mock, eventId).filter(isOf);
    // Games under way come first.
    return list(mock, [...all.filter(({ isOver }) => !isOver), ...all.filter(({ isOver }) => isOver)], page);
  },
  get_games_by_user: (mock, { userId, status, ...page }) => {
    if (!mock.user.isAdmin) acting(mock, userId);
    const isWanted = (game: MockGame) => status === undefined || status.includes(game.status);
    const blocked = mock.moderation.blockedBy(userId);
    const isHidden = ({ status: is, seats: [inviter] }: MockGame) =>
      is === 'waiting' && inviter !== undefined && blocked.includes(inviter.userId);
    const games = mock.games(userId).filter((game) => isWanted(game) && !isHidden(game));
    return list(mock, games, page, userId);
  },
  spectatable_games: (mock, { eventId }) => {
    const live = gamesOf(mock, eventId).filter(({ isOver }) => !isOver);
    return list(mock, live, { limit: MOST_ROWS });
  },
  live_games: (mock, page) => {
    const { items, pagination } = paged(mock.liveNow.list(mock.user.userId), page, PAGE);
    return { games: items, total: mock.liveNow.games.length, pagination };
  },
  get_replay: (mock, { gameId, shareToken }) => {
    if ((gameId === undefined) === (shareToken === undefined)) {
      throw invalid('shareToken', 'One of shareToken and gameId is needed.');
    }
    const game = shareToken === undefined ? seenGame(mock, gameId ?? '') : mock.shared(shareToken);
    if (!game.isOver) throw conflict('game-not-over', STILL_PLAYED);
    return { replay: game.replay(), notation: noted(mock, game) };
  },
  create_game: (
    mock,
    { gameId, players, initiatorUserId, gameType, eventId, level = LEVEL, boardSize = 3, clock = 'none' },
  ) => {
    const user = acting(mock, initiatorUserId);
    if (gameType !== 'invite') throw invalid('gameType', 'Event games are made by the matchmaker.');
    if (gameId === NIL || isReserved(gameId)) throw invalid('gameId', 'A random UUID is needed.');
    if (gameId !== undefined && eventId !== undefined && eventId !== `remote-${gameId}`) {
      throw invalid('eventId', "An invite game's eventId is 'remote-' and the gameId.");
    }
    if (level !== LEVEL) throw invalid('level', 'An invite game has level 1.');
    if (!isBoardSize(boardSize)) throw invalid('boardSize', 'A board has 3 to 6 cells a side.');
    const others = players.filter(({ userId }) => userId !== user.userId);
    if (players.length - others.length !== 1 || others.length > 1) {
      throw invalid('players', 'You and at most one other player.');
    }
    mock.admitInvite();
    const seats = others.map(({ userId }) => seat(mock.find((each) => each.userId === userId)));
    const game = mock.create(gameId ?? crypto.randomUUID(), [user, ...seats], boardSize, 'X', { clock });
    return { game: game.summary(user.userId) };
  },
  make_move: (mock, { gameId, userId, row, col, version }) => {
    const self = acting(mock, userId);
    const game = placed(mock, gameId, row, col);
    mock.move(game, self.userId, row, col, version);
    return { game: game.state(self.userId) };
  },
  end_game: (mock, { gameId, userId }) => {
    const self = acting(mock, userId);
    const game = mock.game(gameId);
    mock.forfeit(game, self.userId);
    return { game: game.state(self.userId) };
  },
  cancel_game: (mock, { gameId, userId }) => {
    const self = acting(mock, userId);
    const game = mock.game(gameId);
    mock.cancel(game, self);
    return { game: game.state(self.userId) };
  },
  claim_seat: (mock, { gameId, inviteToken }) => {
    const self = acting(mock);
    const game = mock.game(gameId);
    game.claim(self, inviteToken);
    return { game: game.state(self.userId) };
  },
  play_again: (mock, { gameId }) => {
    const game = ownGame(mock, gameId);
    return { game: mock.playAgain(game).summary(mock.user.userId) };
  },
  claim_win: (mock, { gameId }) => {
    const game = ownGame(mock, gameId);
    game.mustBeActive();
    if (game.event !== undefined) throw inviteOnly();
    throw conflict('opponent-present', 'Your opponent is in the game.');
  },
  share_game: (mock, { gameId }) => {
    const game = ownGame(mock, gameId);
    if (!game.isOver) throw conflict('game-not-over', 'Only a finished game can be shared.');
    return { shareToken: mock.share(game) };
  },
};

/** Games that are over, as a file. */
export const gameFiles: Pick<Routes, 'exportGames'> = {
  exportGames: ({ mock, query }) => {
    const unknown = [...query.keys()].find((name) => !EXPORT_PARAMETERS.includes(name));
    if (unknown !== undefined) {
      const known = EXPORT_PARAMETERS.join(', ');
      throw new Refusal(400, 'malformed', `${unknown}: there is no such parameter. Use ${known}.`);
    }
    const { userId } = mock.user;
    const [eventId, since, until] = ['eventId', 'since', 'until'].map((name) => query.get(name) ?? undefined);
    const isNotation = query.get('format') === 'notation';
    const event = eventId === undefined ? undefined : mock.events.event(eventId);
    const rounds = event?.stage?.rounds() ?? [];
    const all = event === undefined ? mock.games(userId) : mock.gamesOf(event.eventId);
    const wanted = all.filter(
      (game) =>
        game.isOver &&
        (game.status === 'completed' || game.replay().rounds.length > 0) &&
        (since === undefined || game.createdAt >= since) &&
        (until === undefined || game.createdAt < until),
    );
    const texts = wanted.map((game) => {
      if (!isNotation) return `${JSON.stringify(game.replay())}\n`;
      const place = rounds.flatMap(({ round, pairings }) =>
        pairings
          .filter(({ games }) => games.some(({ gameId }) => gameId === game.gameId))
          .map(({ board }) => `${round}.${board}`),
      );
      return `${noted(mock, game, place[0])}\n`;
    });
    const name = `morpion-games${event === undefined ? '' : `-event-${event.eventId}`}.${isNotation ? 'txt' : 'ndjson'}`;
    return new HttpResponse(texts.join(''), {
      headers: {
        'Content-Type': isNotation ? 'text/plain; charset=utf-8' : 'application/x-ndjson',
        'Content-Disposition': `attachment; filename="${name}"`,
      },
    });
  },
};

const EXPORT_PARAMETERS = ['eventId', 'format', 'since', 'until'];

/** The game as text, with the event's title for those who may see the event. */
function noted(mock: MockServer, game: MockGame, round?: string): string {
  const event = game.event && mock.events.known(game.event.eventId);
  const title = event?.isSeenBy(mock.viewer) === true ? event.view().title : undefined;
  return game.notation(globalThis.location?.origin ?? 'http://localhost', title, round);
}

/** UUIDs of version 8 are given by the server alone. */
function isReserved(gameId = ''): boolean {
  return gameId.charAt(14) === '8';
}

/** The newest first; `of` is the user whose list it is. */
function list(mock: MockServer, all: MockGame[], page: { page?: number; limit?: number }, of = mock.viewer?.userId) {
  const { items, pagination } = paged(all, page, PAGE);
  return { games: items.map((game) => game.summary(of)), pagination };
}

function gamesOf(mock: MockServer, eventId: string): MockGame[] {
  return mock.gamesOf(mock.events.event(eventId).eventId);
}

/** The game, if the cell exists on a board of any size. */
export function placed(mock: MockServer, gameId: string, row: number, col: number): MockGame {
  const isOnSome = [row, col].every((each) => each >= 0 && each < Math.max(...BOARD_SIZES));
  if (!isOnSome) throw new Refusal(422, 'off-board', 'This cell is not on the board.');
  return mock.game(gameId);
}

/** The signed-in user; the payload may name no other. */
export function acting(mock: MockServer, userId?: string) {
  const { user } = mock;
  if (userId !== undefined && userId !== user.userId) throw notYourself();
  return seat(user);
}

/** Everybody sees games of events, users their own and rated ones too; admins see all. */
function seenGame(mock: MockServer, gameId: string): MockGame {
  if (mock.viewer === undefined && mock.hasGame(gameId)) {
    const game = mock.game(gameId);
    if (game.event !== undefined && mayWatch(mock, game)) return game;
  }
  const { userId, isAdmin } = mock.user;
  const game = mock.game(gameId);
  const isSeen = isAdmin || mayWatch(mock, game) || game.seats.some((each) => each.userId === userId);
  if (!isSeen) throw notFound('Game');
  return game;
}

/** Whether everybody who is signed in may watch it. */
export function isPublic({ events }: MockServer, { event, terms }: MockGame): boolean {
  return event === undefined ? terms.rated === true : events.known(event.eventId)?.isPrivate !== true;
}

/** Whether the viewer may watch it: games of a private event are for those who see the event. */
export function mayWatch(mock: MockServer, game: MockGame): boolean {
  const { event } = game;
  return (
    isPublic(mock, game) || (event !== undefined && mock.events.known(event.eventId)?.isSeenBy(mock.viewer) === true)
  );
}

export function ownGame(mock: MockServer, gameId: string): MockGame {
  const { userId } = mock.user;
  const game = mock.game(gameId);
  if (!game.seats.some((each) => each.userId === userId)) throw notAPlayer();
  return game;
}

export function inviteOnly(): Refusal {
  return conflict('not-an-invite-game', 'This is possible in invite games only.');
}
