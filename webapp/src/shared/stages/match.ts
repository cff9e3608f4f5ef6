/** What is read off the stage rounds of an event: docs/behaviour/formats.md. */

import type { StagePairing, StagePlayer, StageRound } from '@/api/events';
import { gamePath } from '../events/postGameRedirect';
import { nameOf } from '../people/personSummary';
import { type EventFormat, reasonText } from './formats';

/**
 * `open`: not both players are known; `ahead`: no game has begun; `between`: the next game of the match is about to begin;
 * `bye`: there is no opponent.
 */
export type MatchState = 'open' | 'ahead' | 'live' | 'between' | 'decided' | 'bye';

export function isDecided({ reason }: StagePairing): boolean {
  return reason !== undefined;
}

/** The game of a match that is played now. */
export function liveGameOf({ games, reason }: StagePairing): string | undefined {
  const last = games.at(-1);
  return reason === undefined && last?.winnerUserId === undefined ? last?.gameId : undefined;
}

export function matchState(pairing: StagePairing): MatchState {
  if (pairing.bye) return 'bye';
  if (isDecided(pairing)) return 'decided';
  if (pairing.players.length < 2) return 'open';
  if (liveGameOf(pairing) !== undefined) return 'live';
  return pairing.games.length === 0 ? 'ahead' : 'between';
}

/** The games of the match that somebody has won. */
export function gamesWonBy({ games }: StagePairing, userId: string): number {
  return games.filter(({ winnerUserId }) => winnerUserId === userId).length;
}

/** `2–1`, by the order of the players; absent before the first game and where there is no opponent. */
export function scoreOf(pairing: StagePairing): string | undefined {
  const [first, second] = pairing.players;
  if (first === undefined || second === undefined || pairing.games.length === 0) return undefined;
  return `${gamesWonBy(pairing, first.userId)}–${gamesWonBy(pairing, second.userId)}`;
}

export function isIn({ players }: StagePairing, userId: string | null): boolean {
  return players.some((player) => player.userId === userId);
}

export function pairingOf(round: StageRound | undefined, userId: string): StagePairing | undefined {
  return round?.pairings.find((pairing) => isIn(pairing, userId));
}

/** `Ada – Bob`. */
export function namesOf({ players }: StagePairing): string {
  return players.map(nameOf).join(' – ');
}

/** What became of a match, or how far it is. */
export function matchText(pairing: StagePairing): string {
  const { winnerUserId, players, reason } = pairing;
  switch (matchState(pairing)) {
    case 'open':
      return 'To be decided';
    case 'ahead':
      return 'Not begun';
    case 'live':
      return 'Live';
    case 'between':
      return 'The next game is about to begin';
    case 'bye':
      return reasonText('bye');
    case 'decided': {
      const winner = players.find(({ userId }) => userId === winnerUserId);
      const result = winner === undefined ? 'Nobody won' : `${nameOf(winner)} won`;
      return reason === undefined || reason === 'played' ? result : `${result} · ${reasonText(reason)}`;
    }
  }
}

/** The round that is played, or was played last: later ones are not paired yet. */
export function currentRound(rounds: readonly StageRound[]): StageRound | undefined {
  return rounds.findLast(({ startsAt }) => startsAt !== undefined);
}

/** Whether a game of the round was opened: from then on it is played to its end, whatever happens to the event. */
export function isUnderWay({ pairings }: StageRound): boolean {
  return pairings.some(({ games }) => games.length > 0);
}

/** Matches of a round that are not decided, apart from that of one player. */
export function undecidedIn(round: StageRound | undefined, apartFrom: string | null = null): number {
  return (round?.pairings ?? []).filter((pairing) => !isDecided(pairing) && !isIn(pairing, apartFrom)).length;
}

/** `3 other matches`. */
export function otherMatches(count: number): string {
  return count === 1 ? '1 other match' : `${count} other matches`;
}

/** Everybody who has a match, by seed. */
export function playersOf(rounds: readonly StageRound[]): StagePlayer[] {
  const players = new Map<string, StagePlayer>();
  for (const { pairings } of rounds) {
    for (const pairing of pairings) for (const player of pairing.players) players.set(player.userId, player);
  }
  return [...players.values()].toSorted((a, b) => a.seed - b.seed);
}

const LATE_ROUNDS = ['Final', 'Semi-finals', 'Quarter-finals'];

/** Rounds of a knockout are named by how far they are from the final. */
export function roundName(format: EventFormat, round: number, expectedRounds: number): string {
  const left = expectedRounds - round;
  if (format !== 'knockout' || left < 0) return `Round ${round}`;
  return LATE_ROUNDS[left] ?? `Round of ${2 ** (left + 1)}`;
}

/** A begin that is further ahead is said as a time of day, and not counted down. In milliseconds. */
export const COUNTED_DOWN = 3_600_000;

/** When a round that is not paired yet begins at the earliest, in Unix milliseconds; undefined unless that is ahead. */
export function fixedBegin({ startsAt, notBefore }: StageRound, now: number): number | undefined {
  const at = startsAt === undefined && notBefore !== undefined ? Date.parse(notBefore) : undefined;
  return at !== undefined && at > now ? at : undefined;
}

/** Where a game of a match is watched, played or seen again. */
export function gameLink(gameId: string, isLive: boolean, isOwn: boolean): string {
  if (!isLive) return `${gamePath(gameId)}/replay`;
  return isOwn ? gamePath(gameId) : `${gamePath(gameId)}?watch=true`;
}

const ENDINGS: Record<Intl.LDMLPluralRule, string> = {
  zero: 'th',
  one: 'st',
  two: 'nd',
  few: 'rd',
  many: 'th',
  other: 'th',
};

/** `3rd`. */
export function ordinal(place: number): string {
  return `${place}${ENDINGS[new Intl.PluralRules('en', { type: 'ordinal' }).select(place)]}`;
}

/** Points and tie-breaks: `2.5`, `3`. */
export function pointsText(points: number): string {
  return String(Math.round(points * 100) / 100);
}
