/** The editable fields of an event and the rules for them: docs/behaviour/events.md#fields. */

import type { components } from '@/api/schema';
import { isBoardSize } from '@/shared/rules';
import { visibleError } from '@/shared/visible';
import { invalid } from './refusal';
import { MAX_ROUND_ROBIN, type StageSettings } from './stages';

type Schemas = components['schemas'];

export interface EventDetails {
  title: string;
  description?: string;
  prize?: string;
  eventType?: Schemas['EventType'];
  startTime?: string;
  endTime?: string;
  maxLosses?: number;
  ratedOnOneNetwork?: boolean;
  clock?: Schemas['QuickMatchClock'];
  format?: Schemas['EventFormat'];
  rounds?: number;
  boardSize?: Schemas['EventBoard'];
  matchGames?: number;
  thirdPlace?: boolean;
  doubleRounds?: boolean;
  /** 0: as many as fit. */
  maxPlayers?: number;
  /** 0: nobody is asked to check in. */
  checkInMinutes?: number;
  /** Before which the second stage round and those after it do not begin. */
  roundTimes?: string[];
  /** The conditions of entry; 0 and an empty list ask for nothing. */
  minRating?: number;
  maxRating?: number;
  minGames?: number;
  accountAgeDays?: number;
  /** User ids. */
  allowList?: string[];
  botsAllowed?: boolean;
}

export const DEFAULT_MAX_LOSSES = 3;
/** The year 10000. */
const TOO_FAR = 253_402_300_800_000;
const TITLE_MAX = 120;
const COPY = ' (copy)';
const DESCRIPTION_MAX = 4_000;
const PRIZE_MAX = 200;

const MAX_SWISS_ROUNDS = 32;
const MAX_KNOCKOUT_ROUNDS = 10;
/** Minutes. */
const MAX_CHECK_IN = 120;

/** The details as texts, for comparison. */
export function texts(details: EventDetails): Record<string, string> {
  const { title, description, prize, eventType, startTime, endTime, maxLosses, ratedOnOneNetwork } = details;
  const time = (text: string | undefined) => String(text === undefined ? '' : Date.parse(text));
  return {
    title,
    description: description ?? '',
    prize: prize ?? '',
    eventType: eventType ?? 'open',
    startTime: time(startTime),
    endTime: time(endTime),
    maxLosses: String(maxLosses ?? DEFAULT_MAX_LOSSES),
    ratedOnOneNetwork: String(ratedOnOneNetwork ?? false),
    clock: clockOf(details),
    stages: JSON.stringify(stagesOf(details) ?? 'arena'),
    maxPlayers: String(details.maxPlayers ?? 0),
    checkInMinutes: String(details.checkInMinutes ?? 0),
    roundTimes: (details.roundTimes ?? []).map((at) => Date.parse(at)).join(),
    conditions: JSON.stringify(conditionsOf(details)),
  };
}

/** The time control of its games. */
export function clockOf({ clock = 'turn15' }: EventDetails): Schemas['QuickMatchClock'] {
  return clock;
}

/** What an event asks of those who enter. */
export function conditionsOf(details: EventDetails) {
  const { minRating, maxRating, minGames, accountAgeDays, allowList = [], botsAllowed } = details;
  return {
    ...(botsAllowed ? { botsAllowed } : {}),
    ...(minRating ? { minRating } : {}),
    ...(maxRating ? { maxRating } : {}),
    ...(minGames ? { minGames } : {}),
    ...(accountAgeDays ? { accountAgeDays } : {}),
    ...(allowList.length > 0 ? { allowList: [...new Set(allowList)].toSorted() } : {}),
  };
}

function mustBeConditions(details: EventDetails): void {
  const { minRating = 0, maxRating = 0, minGames = 0, accountAgeDays = 0 } = details;
  for (const [field, code, rating] of [
    ['minRating', 'min-rating', minRating],
    ['maxRating', 'max-rating', maxRating],
  ] as const) {
    if (rating !== 0 && (rating < 100 || rating > 4_000)) throw invalid(field, 'A rating is from 100 to 4000.', code);
  }
  if (minRating !== 0 && maxRating !== 0 && minRating > maxRating) {
    throw invalid('maxRating', 'The highest rating must not be below the lowest.', 'rating-range');
  }
  if (minGames > 100_000) throw invalid('minGames', 'At most 100000 games can be asked for.', 'min-games');
  if (accountAgeDays > 3_650) {
    throw invalid('accountAgeDays', 'An account can be asked to be at most 3650 days old.', 'account-age');
  }
}

/** What an event is played in where it is no arena. */
export function stagesOf(details: EventDetails): StageSettings | undefined {
  const { format = 'arena', rounds = 0, matchGames = 2, thirdPlace = false, doubleRounds = false } = details;
  if (format === 'arena') return undefined;
  return {
    format,
    rounds: format === 'swiss' ? rounds : 0,
    boardSize: isBoardSize(details.boardSize) ? details.boardSize : 3,
    matchGames,
    thirdPlace: format === 'knockout' && thirdPlace,
    doubleRounds: format === 'roundRobin' && doubleRounds,
  };
}

/** The fields of an event's format, as they are stored. */
function staged(details: EventDetails): EventDetails {
  const { format: _format, rounds: _rounds, boardSize: _size, matchGames: _games, ...others } = details;
  const { thirdPlace: _third, doubleRounds: _double, roundTimes, ...rest } = others;
  const stages = stagesOf(details);
  if (stages === undefined) return rest;
  if (stages.matchGames < 1 || stages.matchGames > 2) {
    throw invalid('matchGames', 'A match has one or two games.', 'match-games');
  }
  if (stages.rounds > MAX_SWISS_ROUNDS) throw invalid('rounds', 'A Swiss has 1 to 32 rounds.', 'rounds');
  if (roundTimes !== undefined) mustBeRoundTimes(roundTimes, stages, details);
  // Only an arena counts losses.
  return { ...rest, maxLosses: 0, ...stages, ...(roundTimes === undefined ? {} : { roundTimes }) };
}

/** Stage rounds at most, however many enter. */
function mostRounds({ format, rounds, doubleRounds }: StageSettings): number {
  if (format === 'swiss') return rounds || MAX_SWISS_ROUNDS;
  return format === 'knockout' ? MAX_KNOCKOUT_ROUNDS : (MAX_ROUND_ROBIN - 1) * (doubleRounds ? 2 : 1);
}

function mustBeRoundTimes(times: string[], stages: StageSettings, { startTime, endTime }: EventDetails): void {
  const at = times.map((time) => Date.parse(time));
  const refused = (code: string, text: string) => invalid('roundTimes', text, `round-times-${code}`);
  const [first, last] = [at[0], at.at(-1)];
  if (first === undefined || last === undefined) return;
  if (at.length >= mostRounds(stages)) throw refused('count', 'There are more times than rounds after the first.');
  if (at.some((time, nth) => nth > 0 && time <= (at[nth - 1] ?? 0))) {
    throw refused('order', 'Each round must begin after the one before it.');
  }
  if (startTime !== undefined && first <= Date.parse(startTime)) {
    throw refused('start', 'The second round must begin after the start of the event.');
  }
  if (last >= (endTime === undefined ? TOO_FAR : Date.parse(endTime))) {
    throw refused('end', 'Every round must begin before the end of the event.');
  }
}

/** Refuses a size that no board has, and one by the level outside an arena. */
export function mustBeBoard(
  boardSize: Schemas['EventBoard'] | undefined,
  format: Schemas['EventFormat'] = 'arena',
): void {
  if (boardSize === 'byLevel') {
    if (format === 'arena') return;
    throw invalid('boardSize', 'Only in an arena does the board follow from the level.', 'board-by-level');
  }
  if (boardSize !== undefined && !isBoardSize(boardSize)) {
    throw invalid('boardSize', 'The board has 3 to 6 rows.', 'board-size');
  }
}

/** The details without spaces around texts and with alike line ends; refuses missing or long texts and far times. */
export function checked(details: EventDetails): EventDetails {
  const trimmed = (text: string | undefined) => text?.trim().replace(/\r\n?/g, '\n') ?? '';
  const [title, description, prize] = [details.title, details.description, details.prize].map(trimmed) as [
    string,
    string,
    string,
  ];
  const limits = [
    ['title', 'Event title', title, TITLE_MAX],
    ['description', 'Description', description, DESCRIPTION_MAX],
    ['prize', 'Prize', prize, PRIZE_MAX],
  ] as const;
  if (title === '') throw invalid('title', 'Event title is required.', 'title-required');
  for (const [field, name, text, most] of limits) {
    if (text.length > most) throw invalid(field, `${name} may have at most ${most} characters.`, `${field}-too-long`);
    const unseen = field === 'description' ? null : visibleError(text, name);
    if (unseen !== null) throw invalid(field, unseen, `${field}-invisible`);
  }
  for (const [field, name, time] of [
    ['startTime', 'Start', details.startTime],
    ['endTime', 'End', details.endTime],
  ] as const) {
    if (time !== undefined && Date.parse(time) >= TOO_FAR) {
      const code = field === 'startTime' ? 'start-too-far' : 'end-too-far';
      throw invalid(field, `${name} time must be before the year 10000.`, code);
    }
  }
  if (details.maxPlayers === 1) throw invalid('maxPlayers', 'An event has at least 2 players.', 'max-players');
  if ((details.checkInMinutes ?? 0) > MAX_CHECK_IN) {
    throw invalid('checkInMinutes', 'Check-in must open 1 to 120 minutes before the start.', 'check-in-minutes');
  }
  const checkedStages = staged({ ...details, title, description, prize });
  mustBeConditions(details);
  return checkedStages;
}

/** What a published event must have: docs/behaviour/events.md#fields. */
export function publishable({ title, startTime, endTime }: EventDetails): void {
  if (title.trim() === '') throw titleToPublish();
  if (startTime === undefined) {
    throw invalid('startTime', 'Start time is required to publish.', 'publish-start-required');
  }
  if (endTime === undefined) throw invalid('endTime', 'End time is required to publish.', 'publish-end-required');
  if (Date.parse(endTime) <= Date.parse(startTime)) {
    throw invalid('endTime', 'End time must be after start time.', 'end-not-after-start');
  }
  if (Date.parse(endTime) <= Date.now()) {
    throw invalid('endTime', 'End time must be in the future.', 'end-in-the-past');
  }
}

export const titleToPublish = () => invalid('title', 'Event title is required to publish.', 'publish-title-required');

/** The details for a copy of an event, without times in the past. */
export function copied({ startTime, endTime, roundTimes, ...details }: EventDetails): EventDetails {
  const isAhead = endTime !== undefined && Date.parse(endTime) > Date.now();
  const times = isAhead ? { endTime, ...(startTime === undefined ? {} : { startTime }) } : {};
  const ofRounds = isAhead && roundTimes !== undefined ? { roundTimes } : {};
  // Of those who come to another event nobody has said anything.
  return {
    ...details,
    ratedOnOneNetwork: false,
    title: `${details.title.slice(0, TITLE_MAX - COPY.length).trimEnd()}${COPY}`,
    ...times,
    ...ofRounds,
  };
}

/** A time as the server formats it: without milliseconds if they are zero. */
export function wireTime(time: string): string {
  return time.replace('.000Z', 'Z');
}
