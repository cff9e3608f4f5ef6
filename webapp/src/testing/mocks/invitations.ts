/** Invitations by name to private events: docs/behaviour/events.md#invitations. */

import type { components } from '@/api/schema';
import { conditionsOf } from './eventDetails';
import { directed } from './hosting';
import type { ActionRoutes } from './http';
import type { User } from './mockAccounts';
import type { MockEvent } from './mockEvent';
import { seat } from './mockGame';
import type { MockServer } from './mockServer';
import { conflict, invalid, notFound, Refusal } from './refusal';

type Schemas = components['schemas'];

/** People whom the host of one event can name. */
const INVITATIONS = 128;

export interface MockInvitation {
  at: string;
  isDeclined: boolean;
  isWithdrawn: boolean;
}

export const invitations: Pick<ActionRoutes<'event'>, 'invite_player' | 'withdraw_invitation' | 'list_invitations'> = {
  invite_player: (mock, { eventId, userId, username = '' }) => {
    const event = directedPrivate(mock, eventId);
    const name = username.trim().toLowerCase();
    if (userId === undefined && name === '') throw invalid('username', 'Name a player.');
    const person = mock.find((each) =>
      userId === undefined ? each.username.toLowerCase() === name : each.userId === userId,
    );
    if (person === undefined) throw notFound('User');
    if (event.state === 'drafted') throw conflict('invite-later', 'Publish the event first, then invite people.');
    if (event.state !== 'published' && event.state !== 'started') throw conflict('event-over', 'This event is over.');
    if (event.host?.userId === person.userId || event.participants.has(person.userId)) return {};
    const known = event.invitations.get(person.userId);
    if (known !== undefined) {
      known.isWithdrawn = false;
      return {};
    }
    if (event.invitations.size >= INVITATIONS) {
      const text = 'This event has as many invitations as there may be. Whoever has its link or code can enter, too.';
      throw conflict('too-many-invitations', text);
    }
    event.invitations.set(person.userId, { at: new Date().toISOString(), isDeclined: false, isWithdrawn: false });
    if (isShown(mock, event, person)) mock.events.tellPlayer(event, person.userId, 'invited', '');
    return {};
  },
  withdraw_invitation: (mock, { eventId, userId }) => {
    const event = directedPrivate(mock, eventId);
    const known = event.invitations.get(userId);
    if (known !== undefined) known.isWithdrawn = true;
    return {};
  },
  list_invitations: (mock, { eventId }) => {
    const event = directedPrivate(mock, eventId);
    const waiting = [...event.invitations].filter(
      ([userId, { isWithdrawn }]) => !isWithdrawn && !event.participants.has(userId),
    );
    return {
      invitations: waiting.flatMap(([userId, { at, isDeclined }]) => {
        const person = mock.find((each) => each.userId === userId);
        if (person === undefined) return [];
        return [{ ...seat(person), state: isDeclined ? ('declined' as const) : ('invited' as const), at }];
      }),
    };
  },
};

export const ownInvitations: Pick<ActionRoutes<'eventSignUp'>, 'list_own_invitations' | 'answer_invitation'> = {
  list_own_invitations: (mock) => {
    const { user } = mock;
    const shown = mock.events.invitedTo(user.userId).filter((event) => isShown(mock, event, user));
    return { invitations: shown.flatMap((event) => ownView(event, user.userId)) };
  },
  answer_invitation: (mock, { eventId, accepted }) => {
    const { user } = mock;
    if (user.isTempUser) {
      throw new Refusal(403, 'guest', 'Guests cannot take part in events. Please register first.');
    }
    const event = mock.events.invitedTo(user.userId).find((each) => each.eventId === eventId);
    const invitation = event?.invitations.get(user.userId);
    if (event === undefined || invitation === undefined || !isShown(mock, event, user)) throw notFound('Invitation');
    if (!accepted) {
      invitation.isDeclined = true;
      return {};
    }
    if (event.state === 'published') return { signup: mock.events.signUp(event, user) };
    mock.events.join(event, user);
    return { signup: event.signupOf(user.userId) };
  },
};

function directedPrivate(mock: MockServer, eventId: string): MockEvent {
  const event = directed(mock, eventId);
  if (!event.isPrivate) throw notFound('Event');
  return event;
}

/** Whether an invitation reaches somebody: neither blocks the other, and they may enter events like this. */
function isShown(mock: MockServer, event: MockEvent, person: User): boolean {
  const { host } = event;
  if (host === undefined || person.isTempUser) return false;
  if (person.isBot === true && conditionsOf(event.details).botsAllowed !== true) return false;
  const blocks = (one: string, other: string) => mock.moderation.blockedBy(one).includes(other);
  return !blocks(person.userId, host.userId) && !blocks(host.userId, person.userId);
}

function ownView(event: MockEvent, userId: string): Schemas['OwnInvitation'][] {
  const invitation = event.invitations.get(userId);
  const { eventId, title, startTime, endTime, eventState, host } = event.view();
  if (invitation === undefined || host === undefined) return [];
  const times = { ...(startTime === undefined ? {} : { startTime }), ...(endTime === undefined ? {} : { endTime }) };
  return [{ eventId, title, ...times, eventState, host, at: invitation.at }];
}
