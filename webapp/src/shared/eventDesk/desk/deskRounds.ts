/** What the director's desk says of rounds and matches. */

import type { Signup, StagePairing, StagePlayer, StageRound } from '@/api/events';
import { dayTime } from '@/shared/events/times';
import { nameOf } from '@/shared/people/personSummary';
import { fixedBegin, isDecided, matchState, matchText, scoreOf } from '@/shared/stages/match';

/** What holds the round up comes first: matches without a game, then those that are played, then the decided ones. */
export function inOrderOfNeed(pairings: readonly StagePairing[]): StagePairing[] {
  const need = (pairing: StagePairing) => (isDecided(pairing) ? 2 : matchState(pairing) === 'live' ? 1 : 0);
  return pairings.toSorted((a, b) => need(a) - need(b) || a.board - b.board);
}

/** `2 of 8 matches are still open`, for a round that is played. */
export function progressText(round: StageRound): string {
  const { state, startsAt, pairings } = round;
  const open = pairings.filter((pairing) => !isDecided(pairing));
  if (state === 'planned') {
    const begins = fixedBegin(round, Date.now());
    if (begins !== undefined) return `It is not paired yet, and begins at ${dayTime(begins)} or later.`;
    return startsAt === undefined ? 'It is not paired yet.' : `Its games open at ${dayTime(Date.parse(startsAt))}.`;
  }
  const [last] = open;
  if (last === undefined) return 'All of its matches are decided.';
  if (open.length === 1) return `Only board ${last.board} is holding up the round.`;
  return `${open.length} of ${pairings.length} matches are still open.`;
}

/** Of a match that has no game open: the players who have not joined the event. */
function absentees({ players }: StagePairing, signUps: readonly Signup[]): StagePlayer[] {
  const absent = new Set(signUps.filter(({ status }) => status === 'registered').map(({ userId }) => userId));
  return players.filter(({ userId }) => absent.has(userId));
}

/** How a match stands, and for whom it waits. */
export function deskText(pairing: StagePairing, round: StageRound, signUps: readonly Signup[]): string {
  const { games } = pairing;
  const text = matchText(pairing);
  switch (matchState(pairing)) {
    case 'live':
      return `Game ${games.length} is open`;
    case 'ahead':
    case 'between': {
      if (round.state === 'planned') return text;
      const absent = absentees(pairing, signUps);
      if (absent.length > 0) return `Waits for ${absent.map(nameOf).join(' and ')}, who did not join`;
      return games.length === 0 ? 'Waits for its players' : `Waits for game ${games.length + 1}`;
    }
    case 'decided':
      return games.length < 2 ? text : `${text} · ${scoreOf(pairing) ?? ''}`;
    default:
      return text;
  }
}
