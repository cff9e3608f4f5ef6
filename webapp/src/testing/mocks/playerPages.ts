/** Player pages, histories and heads to head: docs/behaviour/player-pages.md. */

import type { components } from '@/api/schema';
import { BOARD_SIZES, type BoardSize } from '@/shared/rules';
import { acting } from './games';
import type { ActionRoutes } from './http';
import type { User } from './mockAccounts';
import { type MockGame, type Seat, seat } from './mockGame';
import type { MockServer } from './mockServer';
import { paged } from './paging';
import { invalid, notFound, Refusal } from './refusal';

type Schemas = components['schemas'];
type Played = Schemas['PlayedGame'];
type PageAction = 'get_profile' | 'get_history' | 'get_head_to_head' | 'list_opponents';

/** The default number of games on a page, those of a head to head, and the numbers of opponents. */
const PAGE = 20;
const LAST_BETWEEN = 5;
const OPPONENTS = 6;
const MAX_OPPONENTS = 20;
/** Events on a page. */
const PLACES = 5;
const DAY_MS = 86_400_000;

export const playerPages: Pick<ActionRoutes<'player'>, PageAction> = {
  get_profile: (mock, { username, userId }) => {
    if ((username === undefined) === (userId === undefined)) {
      throw invalid('username', 'One of username and userId is needed.');
    }
    const user = player(mock, userId ?? '', username);
    const { viewer } = mock;
    const isOwn = viewer?.userId === user.userId;
    const { displayName, profile } = user;
    const named = {
      userId: user.userId,
      username: user.username,
      displayName,
      ...(profile === '' ? {} : { profileUrl: profile }),
      ...(user.isBot === true ? { isBot: true } : {}),
      ...(viewer === undefined || isOwn
        ? {}
        : { blockedByMe: mock.moderation.blockedBy(viewer.userId).includes(user.userId) }),
    };
    const visibility = { visibility: user.profileVisibility };
    if (!seesPage(mock, user)) {
      if (viewer === undefined) throw refusal(mock);
      return { profile: { ...named, ...visibility, hidden: true, results: [], events: [], ratingCurve: [] } };
    }
    const rating = mock.ratings.of(user.userId);
    const knows = isOwn || viewer?.isAdmin === true;
    return {
      profile: {
        ...named,
        ...(knows ? visibility : {}),
        memberSince: user.createdAt,
        ...(rating === undefined ? {} : { rating }),
        ratingCurve: mock.ratings.curve(user.userId),
        results: resultsOf(mock, user.userId),
        events: placesOf(mock, user.userId),
      },
    };
  },
  get_history: (mock, { userId, filter = {}, ...page }) => {
    if (filter.boardSize !== undefined && !BOARD_SIZES.includes(filter.boardSize as BoardSize)) {
      throw invalid('filter.boardSize', 'A board has 3 to 6 cells a side.');
    }
    const user = player(mock, userId);
    const { viewer } = mock;
    const isOwn = viewer?.userId === userId || (viewer !== undefined && viewer.userId === filter.opponentId);
    const seesAll = isOwn || viewer?.isAdmin === true;
    if (!seesAll && !seesPage(mock, user)) throw refusal(mock);
    const games = playedBy(mock, userId).filter(
      (game) => (seesAll || game.rated || game.gameType === 'event') && matches(game, filter),
    );
    const { items, pagination } = paged(games, page, PAGE);
    return { games: items, pagination };
  },
  get_head_to_head: (mock, { userId }) => {
    const own = acting(mock);
    const other = player(mock, userId);
    const between = playedBy(mock, own.userId).filter(({ opponent }) => opponent.userId === other.userId);
    return { results: sum(between), games: between.slice(0, LAST_BETWEEN) };
  },
  list_opponents: (mock, { limit = OPPONENTS }) => {
    const own = acting(mock);
    const games = playedBy(mock, own.userId);
    const blocked = mock.moderation.blockedBy(own.userId);
    const ids = [...new Set(games.map(({ opponent }) => opponent.userId))].filter((id) => !blocked.includes(id));
    const opponents = ids.flatMap((id): Schemas['PlayedOpponent'][] => {
      const user = mock.accountOf(id);
      if (user === undefined) return [];
      const between = games.filter(({ opponent }) => opponent.userId === id);
      return [
        {
          ...seat(user),
          isTempUser: user.isTempUser,
          ...mock.ratings.beside(id),
          results: sum(between),
          lastPlayedAt: between[0]?.endedAt ?? '',
        },
      ];
    });
    return { opponents: opponents.slice(0, Math.min(Math.max(limit, 1), MAX_OPPONENTS)) };
  },
};

/** Somebody with a page: guests and deleted accounts have none. */
function player(mock: MockServer, userId: string, username?: string): User {
  const user = username === undefined ? mock.accountOf(userId) : mock.namedUser(username);
  if (user === undefined || user.isTempUser) throw notFound('Player');
  return user;
}

function seesPage({ viewer }: MockServer, { userId, profileVisibility }: User): boolean {
  if (viewer?.isAdmin === true || viewer?.userId === userId || profileVisibility === 'public') return true;
  return profileVisibility === 'members' && viewer !== undefined && !viewer.isTempUser;
}

function refusal({ viewer }: MockServer): Refusal {
  return viewer === undefined
    ? new Refusal(403, 'members-only', 'This player shows this to members only. Sign in to see it.')
    : new Refusal(403, 'page-hidden', 'This player does not show this to you.');
}

/** A player's finished games with a result, the latest first. */
export function playedBy(mock: MockServer, userId: string): Played[] {
  const games = [...mock.games(userId), ...mock.earlierGames(userId)];
  return games
    .flatMap((game) => played(game, userId))
    .toSorted((a, b) => Date.parse(b.endedAt) - Date.parse(a.endedAt));
}

function played(game: MockGame, userId: string): Played[] {
  const { gameId, players, winner, isDraw, reason, gameType, rounds, endedAt } = game.replay();
  const own = players.find((each) => each.userId === userId);
  const opponent = players.find((each) => each.userId !== userId);
  const isPlayed = game.status === 'completed' && (isDraw || winner !== undefined);
  if (!isPlayed || own === undefined || opponent === undefined || endedAt === undefined) return [];
  return [
    {
      gameId,
      opponent: seat(opponent),
      result: winner === undefined ? 'drawn' : winner === opponent.symbol ? 'lost' : 'won',
      gameType,
      rated: game.terms.rated === true,
      ...(game.event === undefined ? {} : { eventId: game.event.eventId }),
      boardSize: game.position.size,
      clock: game.terms.clock,
      ...(reason === undefined ? {} : { reason }),
      moveCount: rounds.flatMap(({ moves }) => moves).length,
      endedAt,
    },
  ];
}

function matches(game: Played, filter: Schemas['HistoryFilter']): boolean {
  const { gameType, result, boardSize, rated, opponentId } = filter;
  return (
    (gameType === undefined || game.gameType === gameType) &&
    (result === undefined || game.result === result) &&
    (boardSize === undefined || game.boardSize === boardSize) &&
    (rated === undefined || game.rated === rated) &&
    (opponentId === undefined || game.opponent.userId === opponentId)
  );
}

function sum(games: Played[]): Schemas['Results'] {
  const count = (wanted: Played['result']) => games.filter(({ result }) => result === wanted).length;
  return { wins: count('won'), losses: count('lost'), draws: count('drawn') };
}

function resultsOf(mock: MockServer, userId: string): Schemas['BoardResults'][] {
  const games = playedBy(mock, userId);
  return BOARD_SIZES.flatMap((boardSize) => {
    const own = games.filter((game) => game.boardSize === boardSize);
    return own.length === 0 ? [] : [{ boardSize, ...sum(own) }];
  });
}

function placesOf({ events }: MockServer, userId: string): Schemas['EventPlace'][] {
  return events
    .all()
    .filter(({ state }) => state === 'started' || state === 'ended')
    .filter(({ participants }) => participants.has(userId) && participants.signupOf(userId).status !== 'registered')
    .toSorted((a, b) => (b.view().startTime ?? '').localeCompare(a.view().startTime ?? ''))
    .slice(0, PLACES)
    .map((event) => {
      const { title, eventState, startedAt, startTime } = event.view();
      const { level, wins, losses, rank, isRemoved } = event.participants.player(userId);
      const at = startedAt ?? startTime;
      const isRanked = wins + losses > 0 && isRemoved !== true && rank !== undefined;
      return {
        eventId: event.eventId,
        title,
        eventState,
        ...(isRanked ? { place: rank } : {}),
        players: event.participants.seats.length,
        level,
        wins,
        losses,
        ...(at === undefined ? {} : { at }),
      };
    });
}

/** Ratings from before, so that mock mode has a list. */
export function sampleRatings({ ratings }: MockServer, seats: Seat[]): void {
  for (const [number, { userId }] of seats.slice(0, 6).entries()) {
    let value = 1_500;
    const curve = Array.from({ length: 34 }, (_, step) => {
      value += Math.round(60 * Math.sin(step * 1.3 + number) + 4 * (3 - number)) / (1 + step / 8);
      return { at: new Date(Date.now() - (34 - step) * 1.7 * DAY_MS).toISOString(), value: Math.round(value) };
    });
    ratings.sample(userId, curve);
  }
}
