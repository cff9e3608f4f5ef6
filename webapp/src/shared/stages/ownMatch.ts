/** Where a player of an event in stage rounds stands: what comes next for them, and what they wait for. */

import type { StagePairing, StagePlayer, StageRound, StageStanding } from '@/api/events';
import type { StageFormat } from './formats';
import { currentRound, isDecided, isIn, liveGameOf, pairingOf, undecidedIn } from './match';

interface InRound {
  round: StageRound;
  pairing: StagePairing;
  opponent: StagePlayer;
}

/** Without a game of their own. */
interface Idle {
  /** Matches of the round that are not decided. */
  others: number;
  /** No round follows. */
  isLast: boolean;
}

export type OwnMatch =
  /** The event is over. */
  | { kind: 'over' }
  /** Nothing was paired yet. */
  | { kind: 'early' }
  | ({ kind: 'ahead' } & InRound)
  | ({ kind: 'playing'; gameId: string } & InRound)
  | ({ kind: 'between' } & InRound)
  /** They entered late, or sit this round out. */
  | ({ kind: 'unpaired' } & Idle)
  | ({ kind: 'bye' } & Idle)
  /** `next`: whom they meet in a knockout, or the match that decides it. */
  | ({ kind: 'decided'; hasWon: boolean; next?: StagePlayer | StagePairing } & Idle)
  | ({ kind: 'out' } & Idle)
  /** `disqualification`: why a director took them out. */
  | ({ kind: 'withdrawn'; disqualification?: string } & Idle);

interface Facts {
  format: StageFormat;
  rounds: readonly StageRound[];
  expectedRounds: number;
  isOver: boolean;
  standing: StageStanding | undefined;
  userId: string;
}

export function ownMatch({ format, rounds, expectedRounds, isOver, standing, userId }: Facts): OwnMatch {
  if (isOver) return { kind: 'over' };
  const round = currentRound(rounds);
  if (round === undefined) return { kind: 'early' };
  const pairing = pairingOf(round, userId);
  if (pairing !== undefined && !isDecided(pairing)) return undecided(round, pairing, userId);
  const idle = { others: undecidedIn(round, userId), isLast: round.round >= expectedRounds };
  if (standing?.withdrawn) {
    const { disqualification } = standing;
    return { kind: 'withdrawn', ...idle, ...(disqualification === undefined ? {} : { disqualification }) };
  }
  if (pairing === undefined) {
    const hasLost = format === 'knockout' && rounds.some((each) => pairingOf(each, userId) !== undefined);
    return { kind: hasLost ? 'out' : 'unpaired', ...idle };
  }
  if (pairing.bye) return { kind: 'bye', ...idle };
  const hasWon = pairing.winnerUserId === userId;
  if (format !== 'knockout' || idle.isLast) return { kind: 'decided', hasWon, ...idle };
  // Also the match for the third place of those who lost a semi-final.
  const after = rounds.find((each) => each.round === round.round + 1);
  const meeting = pairingOf(after, userId);
  if (meeting === undefined) return hasWon ? { kind: 'decided', hasWon, ...idle } : { kind: 'out', ...idle };
  const next = nextOpponent(meeting, round, pairing, userId);
  return { kind: 'decided', hasWon, ...idle, ...(next === undefined ? {} : { next }) };
}

function undecided(round: StageRound, pairing: StagePairing, userId: string): OwnMatch {
  const opponent = pairing.players.find((player) => player.userId !== userId);
  if (opponent === undefined) return { kind: 'early' };
  const gameId = liveGameOf(pairing);
  if (gameId !== undefined) return { kind: 'playing', gameId, round, pairing, opponent };
  return { kind: pairing.games.length === 0 ? 'ahead' : 'between', round, pairing, opponent };
}

/** The player on the other side of the next match, or the match of this round that decides who that is. */
function nextOpponent(
  meeting: StagePairing,
  round: StageRound,
  own: StagePairing,
  userId: string,
): StagePlayer | StagePairing | undefined {
  const known = meeting.players.find((player) => player.userId !== userId);
  if (known !== undefined || meeting.bye) return known;
  const neighbour = own.board % 2 === 0 ? own.board - 1 : own.board + 1;
  return round.pairings.find((each) => each.board === neighbour && !isDecided(each));
}

/** Whether somebody has, or had, a match or a row of the table. */
export function takesPart(rounds: readonly StageRound[], standing: StageStanding | undefined, userId: string): boolean {
  return standing !== undefined || rounds.some(({ pairings }) => pairings.some((each) => isIn(each, userId)));
}
