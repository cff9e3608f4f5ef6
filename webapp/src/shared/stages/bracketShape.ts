/** Who meets whom in a knockout: the winners of boards 2n - 1 and 2n meet on board n of the next round. */

import type { StagePairing, StagePlayer, StageRound } from '@/api/events';

/** A seat of a match: who has it, or who will. */
export interface BracketSeat {
  player?: StagePlayer;
  /** Who comes here, in words, while nobody has the seat. */
  awaited?: string;
}

export interface BracketMatchShape {
  pairing: StagePairing;
  /** The two matches that decide who meets; absent in the first round. */
  feeders: readonly (StagePairing | undefined)[];
  /** Those who lost the semi-finals meet. */
  isForThird: boolean;
}

export interface BracketRound {
  round: StageRound;
  matches: BracketMatchShape[];
}

export interface BracketShape {
  rounds: BracketRound[];
  /** The match for the third place, which stands apart. */
  third: BracketMatchShape | undefined;
}

/** The bracket from one round on, with the rounds that are not planned yet. */
export function bracketShape(rounds: readonly StageRound[], expectedRounds: number, from = 1): BracketShape {
  const all = withAllRounds(rounds, expectedRounds);
  const shaped = all.map((round, at): BracketRound => {
    const before = at === 0 ? undefined : all[at - 1];
    return { round, matches: round.pairings.map((pairing) => shapeOf(pairing, before, at + 1 === expectedRounds)) };
  });
  const third = shaped.at(-1)?.matches.find(({ isForThird }) => isForThird);
  return {
    rounds: shaped
      .filter(({ round: { round } }) => round >= from)
      .map(({ round, matches }) => ({ round, matches: matches.filter(({ isForThird }) => !isForThird) })),
    third,
  };
}

function withAllRounds(rounds: readonly StageRound[], expectedRounds: number): StageRound[] {
  const all = [...rounds];
  while (all.length > 0 && all.length < expectedRounds) {
    const boards = Math.ceil((all.at(-1)?.pairings.length ?? 0) / 2);
    const pairings = Array.from({ length: boards }, (_, at) => ({ board: at + 1, players: [], bye: false, games: [] }));
    all.push({ round: all.length + 1, state: 'planned', pairings });
  }
  return all;
}

function shapeOf(pairing: StagePairing, before: StageRound | undefined, isLast: boolean): BracketMatchShape {
  const isForThird = isLast && before !== undefined && pairing.board === 2;
  const boards = isForThird ? [1, 2] : [2 * pairing.board - 1, 2 * pairing.board];
  const feeders = boards.map((board) => before?.pairings.find((each) => each.board === board));
  return { pairing, feeders: before === undefined ? [] : feeders, isForThird };
}

/** Both seats of a match, the upper one first. */
export function seatsOf({ pairing, feeders, isForThird }: BracketMatchShape): [BracketSeat, BracketSeat] {
  const { players, bye } = pairing;
  const [first, second] = players;
  if (first !== undefined && second !== undefined) return [{ player: first }, { player: second }];
  if (feeders.length === 0) return [seatFor(first, bye), seatFor(undefined, bye)];
  const seats = feeders.map((feeder): BracketSeat => {
    const player = players.find(({ userId }) => feeder?.players.some((each) => each.userId === userId));
    if (player !== undefined) return { player };
    if (bye || feeder?.reason !== undefined) return { awaited: bye ? 'Bye' : 'Nobody' };
    const board = feeder === undefined ? '' : ` of board ${feeder.board}`;
    return { awaited: `${isForThird ? 'Loser' : 'Winner'}${board}` };
  });
  return [seats[0] ?? {}, seats[1] ?? {}];
}

function seatFor(player: StagePlayer | undefined, bye: boolean): BracketSeat {
  return player === undefined ? { awaited: bye ? 'Bye' : 'Nobody' } : { player };
}
