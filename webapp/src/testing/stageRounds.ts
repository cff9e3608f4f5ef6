import type { StagePairing, StagePlayer, StageRound, StageStanding } from '@/api/events';
import { ada, bob, someEvent } from './server';
import type { StageEvent } from '@/shared/stages/formats';

const IDS: Record<string, string> = { ada: ada.userId, bob: bob.userId };

/** The player of that name: `Ada` is `ada`. */
export function entrant(name: string, seed: number): StagePlayer {
  const username = name.toLowerCase();
  return { userId: IDS[username] ?? `u-${username}`, username, displayName: name, seed };
}

/** A match of the players, with a game for each winner named; the last game is won by nobody yet if it is null. */
export function pairing(
  board: number,
  players: StagePlayer[],
  winners: (StagePlayer | null)[] = [],
  over: Partial<StagePairing> = {},
): StagePairing {
  const games = winners.map((winner, at) => ({
    gameId: `g${board}-${at + 1}-${players.map(({ username }) => username).join('-')}`,
    ...(winner === null ? {} : { winnerUserId: winner.userId }),
  }));
  return { board, players, bye: false, games, ...over };
}

/** A match that was played to its end. */
export function played(board: number, players: StagePlayer[], winners: StagePlayer[]): StagePairing {
  const winnerUserId = winners.at(-1)?.userId;
  return pairing(board, players, winners, {
    reason: 'played',
    ...(winnerUserId === undefined ? {} : { winnerUserId }),
  });
}

export function bye(board: number, player: StagePlayer): StagePairing {
  return pairing(board, [player], [], { bye: true, winnerUserId: player.userId, reason: 'bye' });
}

/** A round that is played, or planned if it has no start. */
export function stageRound(round: number, pairings: StagePairing[], startsAt?: string): StageRound {
  const isEnded = startsAt !== undefined && pairings.every(({ reason }) => reason !== undefined);
  const state = startsAt === undefined ? 'planned' : isEnded ? 'ended' : 'playing';
  return { round, state, pairings, ...(startsAt === undefined ? {} : { startsAt }) };
}

/** When the rounds of a test that are under way began. */
export const BEGUN = '2026-01-01T10:00:00Z';

export function standing(player: StagePlayer, rank: number, points: number, over: Partial<StageStanding> = {}) {
  const row: StageStanding = { ...player, rank, points, withdrawn: false, disqualified: false, ...over };
  return row;
}

/** A live knockout. */
export function stageEvent(over: Partial<StageEvent> = {}): StageEvent {
  const { format = 'knockout', ...others } = over;
  return { ...someEvent({ boardSize: 3, matchGames: 2, maxLosses: 0, ...others }), format };
}
