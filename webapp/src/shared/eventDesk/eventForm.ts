import type { components } from '@/api/schema';
import type { Event, EventFormat, EventType } from '@/api/events';
import { counted } from '@/shared/counted';
import { DEFAULT_WISH } from '@/shared/quickMatch/wish';
import { visibleError } from '@/shared/visible';
import { toUtc } from './localTime';

type Schemas = components['schemas'];

/** The default number of losses that eliminate a player (0: never). */
export const DEFAULT_MAX_LOSSES = 3;
export const MAX_SWISS_ROUNDS = 32;
/** With as many players as the server takes. */
const MAX_KNOCKOUT_ROUNDS = 10;
/** Everybody meets everybody: more would take a day. */
const MAX_ROUND_ROBIN = 16;
/** Sizes of the board on which matches begin. */
export const BOARD_SIZES = [3, 4, 5, 6];
const DEFAULT_BOARD_SIZE = 3;
const DEFAULT_MATCH_GAMES = 2;

/** The values of the form; times are instants in UTC, as the API has them: a local time may come twice, or never. */
export interface EventFields {
  title: string;
  description: string;
  prize: string;
  eventType: EventType;
  startTime: string | null;
  endTime: string | null;
  format: EventFormat;
  /** The time control of all its games. */
  clock: Schemas['QuickMatchClock'];
  /** Of an arena alone. */
  maxLosses: number;
  /** Of a Swiss; empty: by the number of players. */
  rounds: number | '';
  /** Of all formats but the arena, as `matchGames`. */
  boardSize: number;
  matchGames: number;
  /** Of a knockout. */
  thirdPlace: boolean;
  /** Of a round robin. */
  doubleRounds: boolean;
  /** Of all formats but the arena: before which the second round and those after it do not begin. */
  roundTimes: string[];
  /** Empty: as many as the server allows. */
  maxPlayers: number | '';
  /** Minutes before the start from which players check in; empty: nobody asks them. */
  checkInMinutes: number | '';
  /** The conditions of entry; empty asks for nothing. */
  minRating: number | '';
  maxRating: number | '';
  minGames: number | '';
  accountAgeDays: number | '';
  /** One username on each line. */
  allowList: string;
  /** Accounts that programs play with may enter. */
  botsAllowed: boolean;
  /** Entered with a join code; this stays as it was when the event was made. */
  isPrivate: boolean;
  /** Players on one network are different people, the organiser says. */
  ratedOnOneNetwork: boolean;
}

export const NEW_EVENT: EventFields = {
  title: '',
  description: '',
  prize: '',
  eventType: 'open',
  startTime: null,
  endTime: null,
  format: 'arena',
  clock: DEFAULT_WISH.clock,
  maxLosses: DEFAULT_MAX_LOSSES,
  rounds: '',
  boardSize: DEFAULT_BOARD_SIZE,
  matchGames: DEFAULT_MATCH_GAMES,
  thirdPlace: false,
  doubleRounds: false,
  roundTimes: [],
  maxPlayers: '',
  checkInMinutes: '',
  minRating: '',
  maxRating: '',
  minGames: '',
  accountAgeDays: '',
  allowList: '',
  botsAllowed: false,
  isPrivate: false,
  ratedOnOneNetwork: false,
};

export function fieldsOf(event: Event): EventFields {
  const { title, description, prize, eventType, startTime, endTime, maxLosses, ratedOnOneNetwork } = event;
  const { format, rounds, boardSize, matchGames, thirdPlace, doubleRounds, maxPlayers, isPrivate } = event;
  return {
    title,
    description,
    prize: prize ?? '',
    eventType,
    startTime: startTime ?? null,
    endTime: endTime ?? null,
    format,
    clock: event.clock,
    // Only an arena counts losses.
    maxLosses: format === 'arena' ? maxLosses : DEFAULT_MAX_LOSSES,
    rounds: rounds ?? '',
    boardSize: boardSize === 'byLevel' ? DEFAULT_BOARD_SIZE : boardSize,
    matchGames: matchGames ?? DEFAULT_MATCH_GAMES,
    thirdPlace: thirdPlace ?? false,
    doubleRounds: doubleRounds ?? false,
    roundTimes: event.roundTimes ?? [],
    maxPlayers: maxPlayers ?? '',
    checkInMinutes: event.checkInMinutes ?? '',
    minRating: event.minRating ?? '',
    maxRating: event.maxRating ?? '',
    minGames: event.minGames ?? '',
    accountAgeDays: event.accountAgeDays ?? '',
    allowList: (event.allowList ?? []).join('\n'),
    botsAllowed: event.botsAllowed ?? false,
    isPrivate,
    ratedOnOneNetwork,
  };
}

type FormatFields = Pick<
  Schemas['UpdateEvent'],
  'maxLosses' | 'rounds' | 'boardSize' | 'matchGames' | 'thirdPlace' | 'doubleRounds'
>;

/** The fields that the chosen format has; 0 rounds are as many as follow from the players. */
function formatFields(fields: EventFields): FormatFields {
  const { format, maxLosses, rounds, boardSize, matchGames, thirdPlace, doubleRounds } = fields;
  if (format === 'arena') return { maxLosses };
  const match = { boardSize, matchGames };
  if (format === 'knockout') return { ...match, thirdPlace };
  return format === 'swiss' ? { ...match, rounds: rounds === '' ? 0 : rounds } : { ...match, doubleRounds };
}

/** Fixed times of the rounds after the first, of an event that has rounds. */
const timesOfRounds = ({ format, roundTimes }: EventFields) => (format === 'arena' ? [] : roundTimes);

/** How many rounds after the first can have a fixed time. */
export function mostRoundTimes({ format, rounds, doubleRounds }: EventFields): number {
  if (format === 'swiss') return (rounds === '' ? MAX_SWISS_ROUNDS : rounds) - 1;
  if (format === 'knockout') return MAX_KNOCKOUT_ROUNDS - 1;
  return format === 'arena' ? 0 : (MAX_ROUND_ROBIN - 1) * (doubleRounds ? 2 : 1) - 1;
}

const CONDITIONS = ['minRating', 'maxRating', 'minGames', 'accountAgeDays'] as const;
/** What may be asked of players; empty asks nothing. */
const ASKED = ['checkInMinutes', ...CONDITIONS] as const;

/** The names on a list, with lines, spaces or commas between them. */
export const namesIn = (list: string) => list.split(/[\s,;]+/).filter((name) => name !== '');

/** Whether anything is said of who enters. */
export const hasConditions = (fields: EventFields) =>
  CONDITIONS.some((field) => fields[field] !== '') || namesIn(fields.allowList).length > 0 || fields.botsAllowed;

/** Trimmed texts and UTC times; empty fields are left out. */
export function newEvent(fields: EventFields): Schemas['CreateEvent'] {
  const { eventType, startTime, endTime, format, maxPlayers, isPrivate, ratedOnOneNetwork } = fields;
  const description = fields.description.trim();
  const prize = fields.prize.trim();
  const allowList = namesIn(fields.allowList);
  return {
    title: fields.title.trim(),
    ...(description === '' ? {} : { description }),
    ...(prize === '' ? {} : { prize }),
    eventType,
    eventState: 'drafted',
    ...(startTime === null ? {} : { startTime }),
    ...(endTime === null ? {} : { endTime }),
    ...(fields.clock === NEW_EVENT.clock ? {} : { clock: fields.clock }),
    ...(format === 'arena' ? {} : { format }),
    ...formatFields(fields),
    ...(timesOfRounds(fields).length === 0 ? {} : { roundTimes: timesOfRounds(fields) }),
    ...(maxPlayers === '' ? {} : { maxPlayers }),
    ...Object.fromEntries(ASKED.filter((each) => fields[each] !== '').map((each) => [each, fields[each]])),
    ...(allowList.length === 0 ? {} : { allowList }),
    ...(fields.botsAllowed ? { botsAllowed: true } : {}),
    ...(isPrivate ? { isPrivate } : {}),
    ...(ratedOnOneNetwork ? { ratedOnOneNetwork } : {}),
  };
}

/** Only the changed fields, so that an edit does not overwrite concurrent changes. */
export function changesBetween(before: EventFields, after: EventFields): Omit<Schemas['UpdateEvent'], 'eventId'> {
  const changes: Omit<Schemas['UpdateEvent'], 'eventId'> = {};
  for (const text of ['title', 'description', 'prize'] as const) {
    if (after[text].trim() !== before[text]) changes[text] = after[text].trim();
  }
  for (const time of ['startTime', 'endTime'] as const) {
    const at = after[time];
    if (at !== null && at !== before[time]) changes[time] = at;
  }
  if (after.eventType !== before.eventType) changes.eventType = after.eventType;
  if (after.clock !== before.clock) changes.clock = after.clock;
  if (after.format !== before.format) changes.format = after.format;
  const [was, is] = [formatFields(before), formatFields(after)];
  const changed = Object.entries(is).filter(([field, value]) => value !== was[field as keyof FormatFields]);
  Object.assign(changes, Object.fromEntries(changed));
  const roundTimes = timesOfRounds(after);
  // An arena has none, whatever is sent.
  if (after.format !== 'arena' && roundTimes.join() !== before.roundTimes.join()) changes.roundTimes = roundTimes;
  if (after.maxPlayers !== before.maxPlayers) changes.maxPlayers = after.maxPlayers === '' ? 0 : after.maxPlayers;
  for (const field of ASKED) {
    const figure = after[field];
    if (figure !== before[field]) changes[field] = figure === '' ? 0 : figure;
  }
  const names = namesIn(after.allowList);
  if (names.join() !== namesIn(before.allowList).join()) changes.allowList = names;
  if (after.botsAllowed !== before.botsAllowed) changes.botsAllowed = after.botsAllowed;
  if (after.ratedOnOneNetwork !== before.ratedOnOneNetwork) changes.ratedOnOneNetwork = after.ratedOnOneNetwork;
  return changes;
}

/** Common durations of events, in minutes. */
export const DURATIONS = [30, 60, 120, 180];

/** `+30 min`, `+1 h`, `+1 h 30 min`. */
export function durationText(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  return `+${[hours > 0 && `${hours} h`, rest > 0 && `${rest} min`].filter(Boolean).join(' ')}`;
}

/** A length in its largest whole unit: `7 days`, `36 hours`. */
export function lengthText(minutes: number): string {
  if (minutes % (24 * 60) === 0) return counted(minutes / (24 * 60), 'day');
  return minutes % 60 === 0 ? counted(minutes / 60, 'hour') : counted(minutes, 'minute');
}

/** So many minutes after an instant. */
export function endAfter(start: string, minutes: number): string {
  return toUtc(Date.parse(start) + minutes * 60_000);
}

type Times = Pick<EventFields, 'startTime' | 'endTime' | 'roundTimes'>;

/** Another start, with the end and the rounds as long after it as before. */
export function movedStart({ startTime, endTime, roundTimes }: Times, start: string | null): Times {
  if (start === null || startTime === null) return { startTime: start, endTime, roundTimes };
  const moved = (time: string) => toUtc(Date.parse(time) + Date.parse(start) - Date.parse(startTime));
  return {
    startTime: start,
    endTime: endTime === null ? null : moved(endTime),
    roundTimes: roundTimes.map(moved),
  };
}

/** The most players that a form offers, of those that the organiser may have; undefined where only the server has a limit. */
export function mostPlayers(format: EventFormat, allowed: number | undefined): number | undefined {
  const limits = [...(format === 'roundRobin' ? [MAX_ROUND_ROBIN] : []), ...(allowed === undefined ? [] : [allowed])];
  return limits.length === 0 ? undefined : Math.min(...limits);
}

type FieldErrors = Partial<Record<keyof EventFields, string>>;

export const END_AFTER_START = 'End time must be after start time.';

const RATING_RANGE = 'The highest rating must not be below the lowest.';

/** Errors that prevent saving a draft: docs/behaviour/events.md#fields. */
export function draftErrors(fields: EventFields): FieldErrors {
  const { title, startTime, endTime, minRating, maxRating } = fields;
  const roundsError = roundTimesError(fields);
  const titleError = title.trim() === '' ? 'Event title is required.' : visibleError(title, 'Event title');
  return {
    ...(titleError === null ? {} : { title: titleError }),
    ...(startTime !== null && endTime !== null && Date.parse(endTime) <= Date.parse(startTime)
      ? { endTime: END_AFTER_START }
      : {}),
    ...(roundsError === undefined ? {} : { roundTimes: roundsError }),
    ...(minRating !== '' && maxRating !== '' && minRating > maxRating ? { maxRating: RATING_RANGE } : {}),
  };
}

function roundTimesError(fields: EventFields): string | undefined {
  const { startTime, endTime } = fields;
  const times = timesOfRounds(fields).map((time) => Date.parse(time));
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  if (times.length > mostRoundTimes(fields)) return 'There are more times than rounds after the first.';
  if (times.some((time, nth) => nth > 0 && time <= (times[nth - 1] ?? 0))) {
    return 'Each round must begin after the one before it.';
  }
  if (startTime !== null && first <= Date.parse(startTime)) {
    return 'The second round must begin after the start of the event.';
  }
  if (endTime !== null && last >= Date.parse(endTime)) return 'Every round must begin before the end of the event.';
  return undefined;
}

/** What is missing before an event can be published: docs/behaviour/events.md#fields. */
export function publishErrors({ title, startTime, endTime }: Event): string[] {
  const errors: string[] = [];
  if (title.trim() === '') errors.push('Event title is required to publish.');
  if (startTime === undefined) errors.push('Start time is required to publish.');
  if (endTime === undefined) errors.push('End time is required to publish.');
  if (startTime !== undefined && endTime !== undefined && Date.parse(endTime) <= Date.parse(startTime)) {
    errors.push(END_AFTER_START);
  }
  return errors;
}
