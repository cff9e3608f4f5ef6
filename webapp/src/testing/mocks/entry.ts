/** Conditions of entry: docs/behaviour/events.md#conditions-of-entry. */

import type { components } from '@/api/schema';
import { counted } from '@/shared/counted';
import { conditionsOf, type EventDetails } from './eventDetails';
import type { ActionRoutes } from './http';
import type { User } from './mockAccounts';
import type { MockEvent } from './mockEvent';
import type { MockServer } from './mockServer';
import { playedBy } from './playerPages';
import { invalid, Refusal } from './refusal';

type Requirement = components['schemas']['EntryRequirement'];

/** Names on a list. */
const MOST_NAMES = 1_000;
const NAMES_TOLD = 5;
const START_RATING = 1_500;
const DAY_MS = 24 * 3_600_000;
const FOR_PEOPLE = 'This event is for people. Bots cannot enter it.';

export const entry: Pick<ActionRoutes<'eventSignUp'>, 'check_entry'> = {
  check_entry: (mock, { eventId }) => {
    const { user } = mock;
    const event = mock.events.event(eventId);
    if (user.isTempUser) throw new Refusal(403, 'guest', 'Guests cannot take part in events. Please register first.');
    return { conditions: judged(mock, event, user) };
  },
};

/** How somebody stands to an event's conditions, in the order in which they are checked. */
function judged(mock: MockServer, event: MockEvent, user: User): Requirement[] {
  const { minRating, maxRating, minGames, accountAgeDays, allowList, botsAllowed } = conditionsOf(event.details);
  const rating = mock.ratings.of(user.userId)?.value ?? START_RATING;
  const days = Math.floor((Date.now() - Date.parse(user.createdAt)) / DAY_MS);
  const games = minGames === undefined ? 0 : playedBy(mock, user.userId).length;
  const found: Requirement[] = [];
  if (user.isBot === true && botsAllowed !== true) {
    found.push({ condition: 'people', isMet: false, refusal: FOR_PEOPLE });
  }
  const add = (
    condition: Requirement['condition'],
    wanted: number | undefined,
    own: number,
    isMet: boolean,
    refusal: string,
  ) => {
    if (wanted !== undefined) found.push({ condition, wanted, own, isMet, ...(isMet ? {} : { refusal }) });
  };
  add(
    'minRating',
    minRating,
    rating,
    rating >= (minRating ?? 0),
    `This event is for ratings of ${minRating} or more. Yours is ${rating}.`,
  );
  add(
    'maxRating',
    maxRating,
    rating,
    rating <= (maxRating ?? 0),
    `This event is for ratings up to ${maxRating}. Yours is ${rating}.`,
  );
  add(
    'minGames',
    minGames,
    games,
    games >= (minGames ?? 0),
    `This event is for players with ${counted(minGames ?? 0, 'finished game')} or more. You have ${games}.`,
  );
  add(
    'accountAge',
    accountAgeDays,
    days,
    days >= (accountAgeDays ?? 0),
    `This event is for accounts that are ${counted(accountAgeDays ?? 0, 'day')} old or older. Yours is ${counted(days, 'day')} old.`,
  );
  if (allowList !== undefined) {
    const isMet = allowList.includes(user.userId);
    const refusal = "This event is for players on its organiser's list. You are not on it.";
    found.push({ condition: 'allowList', isMet, ...(isMet ? {} : { refusal }) });
  }
  return found;
}

const CODES: Record<Requirement['condition'], string> = {
  minRating: 'entry-min-rating',
  maxRating: 'entry-max-rating',
  minGames: 'entry-min-games',
  accountAge: 'entry-account-age',
  allowList: 'entry-allow-list',
  people: 'entry-people',
};

/** Refuses somebody who is not in the event and misses a condition. */
export function mustMeet(mock: MockServer, event: MockEvent, user: User): void {
  if (event.participants.has(user.userId)) return;
  const missed = judged(mock, event, user).find(({ isMet }) => !isMet);
  if (missed !== undefined) throw new Refusal(403, CODES[missed.condition], missed.refusal ?? '');
}

/** Refuses a bot where there are people only, whoever enters it. */
export function mustBePerson(event: MockEvent, user: User): void {
  if (event.participants.has(user.userId) || user.isBot !== true) return;
  if (conditionsOf(event.details).botsAllowed !== true) throw new Refusal(403, CODES.people, FOR_PEOPLE);
}

/** An event as one call tells it: with its list, by names, for those who may change it. */
export function told(mock: MockServer, event: MockEvent): components['schemas']['Event'] {
  const { viewer } = mock;
  const { allowList } = conditionsOf(event.details);
  const mayEdit = viewer?.isAdmin === true || (event.host !== undefined && event.host.userId === viewer?.userId);
  const isIn = viewer !== undefined && (event.host?.userId === viewer.userId || event.participants.has(viewer.userId));
  const { calendarToken } = event;
  const view = {
    ...event.viewFor(viewer),
    ...(isIn && calendarToken !== undefined ? { calendarToken } : {}),
  };
  if (allowList === undefined || !mayEdit) return view;
  const names = allowList.flatMap((userId) => mock.accountOf(userId)?.username ?? []);
  return { ...view, allowList: names.toSorted((a, b) => a.toLowerCase().localeCompare(b.toLowerCase())) };
}

/** What a call sets of an event, with the accounts on its list by their ids. */
export function listed<T extends Pick<EventDetails, 'allowList'>>(mock: MockServer, changes: T): T {
  const { allowList } = changes;
  if (allowList === undefined) return changes;
  if (allowList.length > MOST_NAMES) {
    throw invalid('allowList', `A list has at most ${MOST_NAMES} players.`, 'allow-list');
  }
  const names = allowList.map((name) => name.trim()).filter((name) => name !== '');
  const known = (name: string) => {
    const found = mock.accountOf(name) ?? mock.namedUser(name);
    const isCalledSo = found?.userId === name || found?.username.toLowerCase() === name.toLowerCase();
    return isCalledSo && !found.isTempUser ? found.userId : undefined;
  };
  const unknown = names.filter((name) => known(name) === undefined);
  if (unknown.length > 0) {
    const more = unknown.length > NAMES_TOLD ? ` and ${unknown.length - NAMES_TOLD} more` : '';
    throw invalid('allowList', `Nobody here is called ${unknown.slice(0, NAMES_TOLD).join(', ')}${more}.`);
  }
  return { ...changes, allowList: names.flatMap((name) => known(name) ?? []) };
}
