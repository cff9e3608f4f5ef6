import type { Event, EventFormat } from '@/api/events';
import type { components } from '@/api/schema';

type Schemas = components['schemas'];
export type { EventFormat };
/** The formats that are played in stage rounds. */
export type StageFormat = Exclude<EventFormat, 'arena'>;
/** An event in stage rounds. */
export type StageEvent = Event & { format: StageFormat };
export type MatchReason = Schemas['MatchReason'];
export type TieBreakName = Schemas['TieBreakName'];

/** In the order in which they are offered. */
export const FORMATS = ['arena', 'knockout', 'swiss', 'roundRobin'] as const satisfies readonly EventFormat[];

export function isStageEvent(event: Event): event is StageEvent {
  return event.format !== 'arena';
}

const FORMAT_TEXTS: Record<EventFormat, { name: string; sentence: string }> = {
  arena: {
    name: 'Arena',
    sentence: 'Whoever is free is paired with somebody of a similar level, again and again until the event ends.',
  },
  knockout: {
    name: 'Knockout',
    sentence: 'The winner of a match goes on to the next round, and the loser is out, until one player is left.',
  },
  swiss: {
    name: 'Swiss',
    sentence: 'Everybody plays in every round, each time against somebody new with about as many points.',
  },
  roundRobin: {
    name: 'Round robin',
    sentence: 'Everybody plays everybody else, and the most points win.',
  },
};

export function formatName(format: EventFormat): string {
  return FORMAT_TEXTS[format].name;
}

/** What the format is, for somebody who hears of it for the first time. */
export function formatSentence(format: EventFormat): string {
  return FORMAT_TEXTS[format].sentence;
}

/** The board on which its games begin. */
export function eventBoardText(boardSize: Event['boardSize']): string {
  return boardSize === 'byLevel' ? 'Grows with the level' : `${boardSize}×${boardSize}`;
}

const REASON_TEXTS: Record<MatchReason, string> = {
  played: 'Decided on the board',
  bye: 'Bye: no opponent',
  absent: 'Decided by absence',
  withdrawn: 'Decided by a withdrawal',
  ruling: 'Decided by an organiser',
};

/** Why a match has its result. */
export function reasonText(reason: MatchReason): string {
  return REASON_TEXTS[reason];
}

/** In the order in which they decide. */
export const TIE_BREAKS = [
  'buchholzCut1',
  'buchholz',
  'sonnebornBerger',
  'wins',
  'headToHead',
] as const satisfies readonly TieBreakName[];

const TIE_BREAK_TEXTS: Record<TieBreakName, { name: string; short: string; sentence: string }> = {
  buchholzCut1: {
    name: 'Buchholz cut 1',
    short: 'BC1',
    sentence: 'Buchholz without one of its terms: a round that was missed, or else the lowest.',
  },
  buchholz: {
    name: 'Buchholz',
    short: 'BH',
    sentence: 'The points of all opponents; a round without a game counts the player’s own points.',
  },
  sonnebornBerger: {
    name: 'Sonneborn-Berger',
    short: 'SB',
    sentence:
      'The points of the opponents who were beaten; a round without a game that was won counts the player’s own.',
  },
  wins: {
    name: 'Wins',
    short: 'W',
    sentence: 'Matches won against an opponent who was there.',
  },
  headToHead: {
    name: 'Head to head',
    short: 'H2H',
    sentence: 'Points against those who are level on everything before.',
  },
};

export function tieBreakName(tieBreak: TieBreakName): string {
  return TIE_BREAK_TEXTS[tieBreak].name;
}

/** For the head of a narrow column. */
export function tieBreakShort(tieBreak: TieBreakName): string {
  return TIE_BREAK_TEXTS[tieBreak].short;
}

/** What the tie-break adds up. */
export function tieBreakSentence(tieBreak: TieBreakName): string {
  return TIE_BREAK_TEXTS[tieBreak].sentence;
}
