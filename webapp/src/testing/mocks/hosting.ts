/** Private events, which members host: docs/behaviour/events.md#private-events. */

import type { components } from '@/api/schema';
import { typedCode } from '@/shared/events/joinCode';
import { told } from './entry';
import type { EventDetails } from './eventDetails';
import type { ActionRoutes } from './http';
import { seat } from './mockGame';
import type { MockEvent } from './mockEvent';
import type { MockServer } from './mockServer';
import { adminsOnly, conflict, invalid, notFound, Refusal, tooMany } from './refusal';

type Schemas = components['schemas'];

/** Events of a member that are open at once. */
export const MOST_HOSTED = 2;
/** Players of a member's event. */
export const HOSTED_PLAYERS = 64;
/** Days until the start of a member's event, and minutes from its start to its end. */
const AHEAD_DAYS = 42;
const LENGTH_DAYS = 7;
const DAY_MINUTES = 24 * 60;
const DAY_MS = DAY_MINUTES * 60_000;
/** Private events of all that are open at once. */
export const OPEN_PRIVATE = 1_000;
/** Wrong codes of one account in an hour. */
export const WRONG_CODES = 60;
const HOUR_S = 3_600;

const OPEN: readonly Schemas['EventState'][] = ['drafted', 'published', 'started'];
/** The server has a longer list. */
const OFFENSIVE = /\bfuck/i;
const LINK = /:\/\/|www\.|\bmailto:|[\p{L}\d]\.\p{L}{2,}(?=$|[\s/?#:)!,;])/iu;

export const hosting: Pick<ActionRoutes<'event'>, 'get_hosting' | 'renew_join_code'> = {
  get_hosting: (mock) => {
    const refusal = refusalOf(mock);
    const open = openHosted(mock);
    return {
      ...(refusal === undefined ? {} : { refusal }),
      open,
      limit: MOST_HOSTED,
      maxPlayers: HOSTED_PLAYERS,
      aheadDays: AHEAD_DAYS,
      lengthMinutes: LENGTH_DAYS * DAY_MINUTES,
    };
  },
  renew_join_code: (mock, { eventId }) => {
    const event = directed(mock, eventId);
    if (!event.isPrivate) throw notFound('Join code');
    event.renewJoinCode();
    return { event: told(mock, event) };
  },
};

export const byCode: Pick<ActionRoutes<'eventSignUp'>, 'sign_up_by_code'> = {
  sign_up_by_code: (mock, { joinCode }) => {
    const { user } = mock;
    if (user.isTempUser) throw guest();
    const event = mock.events.withCode(typedCode(joinCode));
    const isBlocked = event?.host !== undefined && mock.moderation.blockedBy(event.host.userId).includes(user.userId);
    if (event === undefined || isBlocked) {
      mock.wrongCodes += 1;
      if (mock.wrongCodes > WRONG_CODES) throw tooMany(HOUR_S / WRONG_CODES);
      throw new Refusal(404, 'join-code', 'No event has this join code. Ask its host for the current one.');
    }
    if (event.state === 'published') return { signup: mock.events.signUp(event, user) };
    mock.events.join(event, user);
    return { signup: event.signupOf(user.userId) };
  },
};

const guest = () => new Refusal(403, 'guest', 'Guests cannot take part in events. Please register first.');

function refusalOf(mock: MockServer): Schemas['HostingRefusal'] | undefined {
  const { isTempUser, isAdmin, emailVerified, mayHost = false } = mock.user;
  if (isTempUser) return 'guest';
  if (isAdmin) return undefined;
  if (!mock.membersMayHost) return 'off';
  return emailVerified || mayHost ? undefined : 'emailNotVerified';
}

function openHosted(mock: MockServer): number {
  return mock.events.hostedBy(mock.user.userId).filter(({ state }) => OPEN.includes(state)).length;
}

/** A private event of the signed-in user, who may be a member. */
export function host(mock: MockServer, plan: EventDetails): MockEvent {
  switch (refusalOf(mock)) {
    case 'guest':
      throw guest();
    case 'off':
      throw new Refusal(403, 'hosting-off', 'Members do not host events here. Ask the operator of this server.');
    case 'emailNotVerified':
      throw new Refusal(403, 'email-not-verified', 'Please verify your email before you host an event.');
  }
  const { user } = mock;
  if (user.isAdmin) return mock.events.add(plan, seat(user));
  const details = { ...plan, maxPlayers: plan.maxPlayers ?? HOSTED_PLAYERS };
  mustBeHosted(details);
  mustBeSoon({ startTime: details.startTime, endTime: details.endTime });
  if (openHosted(mock) >= MOST_HOSTED) {
    throw conflict('too-many-hosted', 'Two of your events are open already. End or cancel one first.');
  }
  return mock.events.add(details, seat(user));
}

/** Refuses what members may not set of an event; 0 players are as many as the server allows. */
export function mustBeHosted({
  title,
  description,
  prize,
  ratedOnOneNetwork,
  maxPlayers,
}: Partial<EventDetails>): void {
  checkText('title', title ?? '');
  checkText('description', description ?? '');
  if ((prize ?? '').trim() !== '') throw invalid('prize', 'A private event has no prize.');
  if (ratedOnOneNetwork === true) throw invalid('ratedOnOneNetwork', 'Games of private events are not rated.');
  if (maxPlayers === 0 || (maxPlayers ?? 0) > HOSTED_PLAYERS) {
    throw invalid('maxPlayers', `A private event has at most ${HOSTED_PLAYERS} players.`);
  }
}

/** Refuses a member's event that starts late or lasts long. */
export function mustBeSoon({ startTime, endTime }: Record<'startTime' | 'endTime', string | undefined>): void {
  if (startTime === undefined) return;
  const start = Date.parse(startTime);
  if (start - Date.now() > AHEAD_DAYS * DAY_MS) {
    throw invalid('startTime', `A private event starts at most ${AHEAD_DAYS} days ahead.`);
  }
  if (endTime !== undefined && Date.parse(endTime) - start > LENGTH_DAYS * DAY_MS) {
    throw invalid('endTime', `A private event lasts at most ${LENGTH_DAYS} days.`);
  }
}

/** Refuses what a member plans anew of an event; it may have been planned before there were limits. */
export function mustBeReplanned(event: MockEvent, changes: Partial<EventDetails>, isPublished = false): void {
  const { startTime, endTime, startedAt } = event.view();
  const isMoved = (['startTime', 'endTime'] as const).some((field) => {
    const at = changes[field];
    return at !== undefined && Date.parse(at) !== Date.parse({ startTime, endTime }[field] ?? '');
  });
  const start = changes.startTime ?? startedAt ?? startTime;
  if (isMoved || isPublished) mustBeSoon({ startTime: start, endTime: changes.endTime ?? endTime });
}

/** Refuses to open one more private event than there may be in all. */
export function mustHavePlace(mock: MockServer): void {
  const open = mock.events.openPrivate();
  if (open >= OPEN_PRIVATE) {
    const text =
      'This server has as many private events open as it takes. Publish yours when others are over, or ask the operator.';
    throw conflict('private-events-full', text);
  }
}

/** Refuses offensive words and links in what a member writes to those who entered. */
export function checkText(field: string, text: string): void {
  if (OFFENSIVE.test(text)) throw invalid(field, 'This contains a word that is not allowed here.');
  if (LINK.test(text)) {
    throw invalid(field, 'Links are not allowed in a private event. Leave a space after each full stop.');
  }
}

/** The event, if the signed-in user may direct it. */
export function directed(mock: MockServer, eventId: string): MockEvent {
  mustDirect(mock, eventId);
  return mock.events.event(eventId);
}

/** Admins direct all events, and hosts their own; others are refused, whether there is such an event or not. */
export function mustDirect({ user, events }: MockServer, eventId: string): void {
  if (!user.isAdmin && events.known(eventId)?.host?.userId !== user.userId) throw adminsOnly();
}
