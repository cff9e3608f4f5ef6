import type { StagePairing, StageRound, StageStanding } from '@/api/events';

/** The player with that number, as of `aSignUp`. */
export function aPlayer(number: number) {
  const username = `player${number}`;
  return { userId: `u${number}`, username, displayName: username, seed: number };
}

/** A match of players 1 and 2 that is not decided, or what the test makes of it. */
export function aMatch(board: number, over: Partial<StagePairing> = {}): StagePairing {
  return { board, players: [aPlayer(1), aPlayer(2)], bye: false, games: [], ...over };
}

/** A planned round, or what the test makes of it. */
export function aRound(round: number, over: Partial<StageRound> = {}): StageRound {
  return { round, state: 'planned', pairings: [], ...over };
}

/** A row of the table. */
export function aRow(number: number, over: Partial<StageStanding> = {}): StageStanding {
  return { ...aPlayer(number), rank: number, points: 0, withdrawn: false, disqualified: false, ...over };
}
