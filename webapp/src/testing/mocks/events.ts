/** The actions of events, sign-ups and players. */

import { HttpResponse } from 'msw';
import type { components } from '@/api/schema';
import { folded } from '@/shared/visible';
import { seat } from './mockGame';
import { entry, listed, told } from './entry';
import { acting } from './games';
import { mustBeBoard } from './eventDetails';
import {
  byCode,
  checkText,
  directed,
  host,
  hosting,
  mustBeHosted,
  mustBeReplanned,
  mustDirect,
  mustHavePlace,
} from './hosting';
import type { ActionRoutes, Routes } from './http';
import { paged } from './paging';
import type { playerPages } from './playerPages';
import { adminsOnly, invalid, notFound } from './refusal';
import type { MockEvent } from './mockEvent';
import { mustBeMember } from './mockEvents';
import type { User } from './mockAccounts';
import type { MockServer } from './mockServer';
import type { ActReceipt, Stage } from './stages';

type Schemas = components['schemas'];

/** The default number of events on a page. */
const PAGE = 20;
/** The largest value for level, wins and losses. */
const MOST = 1_000_000;

export const events: ActionRoutes<'event'> = {
  ...hosting,
  get_event_by_id: (mock, { eventId }) => ({ event: told(mock, mock.events.event(eventId)) }),
  list_events: ({ events, viewer }, { filter = {}, ...page }) => {
    const own = filter.signedUp === true ? events.seen() : events.all();
    const found = filter.hosted === true ? events.hostedBy(viewer?.userId ?? '') : own.filter(matching(filter, viewer));
    const { items, pagination } = paged(found, page, PAGE);
    return { events: items.map((event) => event.viewFor(viewer)), pagination };
  },
  verify_event: (mock, { eventId }) => {
    const event = directed(mock, eventId);
    const games = mock.gamesOf(eventId).filter(({ status }) => status === 'completed').length;
    const { corrections } = event;
    const vouched = event.vouch === undefined ? {} : { vouched: event.vouch };
    const acts = event.stage?.acts ?? [];
    const players = event.participants.seats.length;
    return { ...vouched, agrees: true, games, players, differences: [], corrections, acts };
  },
  get_rounds: ({ events }, { eventId, userId }) => {
    const { stage } = events.event(eventId);
    return { rounds: stage?.rounds(userId) ?? [], expectedRounds: stage?.expectedRounds ?? 0 };
  },
  get_standings: ({ events, viewer }, { eventId, userId }) => {
    const event = events.event(eventId);
    const directs = viewer?.isAdmin === true || (viewer !== undefined && event.host?.userId === viewer.userId);
    const mayKnow = (of: string) => directs || of === viewer?.userId;
    return { standings: event.stage?.standings(userId, mayKnow) ?? [] };
  },
  create_event: (mock, { eventState = 'drafted', isPrivate = !mock.user.isAdmin, ...plan }) => {
    if (!isPrivate) admin(mock);
    if (eventState !== 'drafted') throw invalid('eventState', 'A new event is a draft; publish it afterwards.');
    const details = listed(mock, plan);
    mustBeBoard(plan.boardSize);
    const event = isPrivate ? host(mock, details) : mock.events.add(details);
    return { event: told(mock, vouched(mock, event)) };
  },
  update_event: (mock, { eventId, eventState, ...changes }) => {
    const event = directed(mock, eventId);
    const wanted = listed(mock, changes);
    mustBeBoard(changes.boardSize);
    if (!mock.user.isAdmin) {
      const publishes = eventState === 'published' && event.state === 'drafted';
      mustBeHosted(changes);
      mustBeReplanned(event, changes, publishes);
      if (publishes) mustHavePlace(mock);
    }
    mock.events.update(event, wanted, eventState);
    return { event: told(mock, vouched(mock, event)) };
  },
  delete_event: (mock, { eventId }) => {
    mock.events.delete(directed(mock, eventId));
    return {};
  },
  join_event: (mock, { eventId, userId }) => {
    const { userId: self } = acting(mock, userId);
    const event = mock.events.event(eventId);
    mock.events.join(event, mock.user);
    return { requiresUpgrade: false, player: event.participants.player(self) };
  },
  start_event: (mock, { eventId }) => {
    const event = directed(mock, eventId);
    mock.events.start(event);
    return { event: told(mock, event) };
  },
  end_event: (mock, { eventId }) => {
    const event = directed(mock, eventId);
    mock.events.end(event);
    return { event: told(mock, event) };
  },
  cancel_event: (mock, { eventId }) => {
    const event = directed(mock, eventId);
    mock.events.cancel(event);
    return { event: told(mock, event) };
  },
  reopen_event: (mock, { eventId, reason }) => {
    const event = managed(mock, eventId);
    mustHaveReason(reason);
    mock.events.reopen(event);
    return { event: told(mock, event) };
  },
  conclude_event: (mock, { eventId }) => {
    const event = managed(mock, eventId);
    mock.events.conclude(event);
    return { event: told(mock, event) };
  },
  duplicate_event: (mock, { eventId }) => ({
    event: told(mock, mock.events.add(managed(mock, eventId).copy())),
  }),
  announce: (mock, { eventId, message }) => {
    const event = directed(mock, eventId);
    if (!mock.user.isAdmin) checkText('message', message);
    mock.events.announce(event, message);
    return { event: told(mock, event) };
  },
  remove_participant: (mock, { eventId, userId, reason }) => {
    const event = directed(mock, eventId);
    mustHaveReason(reason);
    event.correct(userId, { isRemoved: true }, receipt(mock, 'removal', reason));
    mock.events.showOut(event, userId);
    mock.events.withdrawRemoved(event, userId);
    return { player: event.participants.player(userId) };
  },
  set_result: (mock, { eventId, round, board, winnerUserId, reason }) =>
    ruled(mock, eventId, reason, (stage, by) => stage.rule(round, board, winnerUserId, by)),
  replay_match: (mock, { eventId, round, board, gameId, reason }) =>
    ruled(mock, eventId, reason, (stage, by, event) => {
      event.mustBeUnderWay();
      stage.replay(round, board, gameId, by);
    }),
  start_round: (mock, { eventId, round }) => {
    const event = directed(mock, eventId);
    mock.events.startRound(event, round);
    return { event: told(mock, event) };
  },
  withdraw_player: (mock, { eventId, userId, reason }) =>
    ruled(mock, eventId, reason, (stage, by) => stage.withdraw(userId, by)),
  disqualify_player: (mock, { eventId, userId, reason }) => {
    mustDirect(mock, eventId);
    mustHaveReason(reason);
    if (!mock.user.isAdmin) checkText('reason', reason);
    const answer = ruled(mock, eventId, reason, (stage, by) => stage.disqualify(userId, by));
    mock.events.tellDisqualified(mock.events.event(eventId), userId);
    return answer;
  },
  reinstate_player: (mock, { eventId, userId, reason }) =>
    ruled(mock, eventId, reason, (stage, by, event) => {
      event.participants.mustNotBeRemoved(userId);
      stage.reinstate(userId, by);
    }),
  extend_event: (mock, { eventId, endTime }) => {
    const event = directed(mock, eventId);
    if (!mock.user.isAdmin) mustBeReplanned(event, { endTime });
    mock.events.extend(event, endTime);
    return { event: told(mock, event) };
  },
  pause_event: (mock, { eventId }) => {
    const event = directed(mock, eventId);
    mock.events.pause(event, true);
    return { event: told(mock, event) };
  },
  resume_event: (mock, { eventId }) => {
    const event = directed(mock, eventId);
    mock.events.pause(event, false);
    return { event: told(mock, event) };
  },
};

/** A director's act in a tournament, with a reason. */
function ruled(
  mock: MockServer,
  eventId: string,
  reason: string,
  act: (stage: Stage, by: ActReceipt, event: MockEvent) => void,
): { event: Schemas['Event'] } {
  mustDirect(mock, eventId);
  mustHaveReason(reason);
  const event = mock.events.event(eventId);
  const by = { by: mock.user.username, reason: reason.trim() };
  mock.events.direct(event, (stage) => act(stage, by, event));
  return { event: told(mock, event) };
}

export const signups: ActionRoutes<'eventSignUp'> = {
  ...byCode,
  ...entry,
  list_signups_for_event: (mock, { eventId, ...page }) => {
    const { isAdmin } = mock.user;
    const event = mock.events.event(eventId);
    if (isAdmin) mock.auditRead('read_signups', eventId, { page: page.page ?? 1, title: event.view().title });
    const { items, pagination } = paged(event.participants.signups(), page);
    return { signups: items.map((signup) => (isAdmin ? withEmail(mock, signup) : signup)), pagination };
  },
  list_signups_for_user: (mock, { userId, ...page }) => {
    const { userId: self } = acting(mock, userId);
    const own = mock.events.seen().filter((event) => event.participants.has(self));
    const { items, pagination } = paged(own, page);
    return { signups: items.map((event) => event.participants.signupOf(self)), pagination };
  },
  get_user_sign_up_status: (mock, { eventId, userId }) => {
    const { userId: self } = acting(mock, userId);
    return { isSignedUp: mock.events.event(eventId).participants.has(self) };
  },
  get_signup_by_event_and_user: (mock, { eventId, userId }) => {
    const { userId: self } = acting(mock, userId);
    return { signup: mock.events.event(eventId).participants.signupOf(self) };
  },
  sign_up: (mock, { eventId, userId }) => {
    acting(mock, userId);
    return { signup: mock.events.signUp(mock.events.event(eventId), mock.user) };
  },
  remove_signup: (mock, { eventId, userId }) => {
    const self = acting(mock, userId);
    mock.events.event(eventId).remove(self.userId);
    return {};
  },
};

export const players: Omit<ActionRoutes<'player'>, keyof typeof playerPages> = {
  get_player: (mock, { userId, eventId }) => {
    const { isAdmin } = mock.user;
    const player = mock.events.event(eventId ?? lastEventOf(mock, userId)).participants.player(userId);
    return { player: isAdmin ? withEmail(mock, player) : player };
  },
  getPlayersByEvent: (mock, { eventId, ...page }) => mock.user && leaderboard(mock, eventId, page),
  check_player_for_event: (mock, { eventId, userId }) => {
    const { userId: self } = acting(mock, userId);
    const event = mock.events.event(eventId);
    const player = event.participants.has(self) ? { player: event.participants.player(self) } : {};
    const takenOut = event.participants.takenOut(self);
    return {
      isEliminated: event.participants.isEliminated(self),
      ...player,
      ...(takenOut === undefined ? {} : { takenOut }),
    };
  },
  get_leaderboard: (mock, { eventId, ...page }) => leaderboard(mock, eventId, page),
  get_rating_list: (mock, page) => {
    const { ratings, user } = mock;
    const { items, pagination } = paged(ratings.ranked, page);
    const rankOf = (userId: string) => ratings.ranked.indexOf(userId) + 1;
    const own = ratings.of(user.userId);
    const rank = own?.provisional === false ? { rank: rankOf(user.userId) } : {};
    const players = items.flatMap((userId) => {
      const rating = ratings.of(userId);
      return rating === undefined
        ? []
        : [{ rank: rankOf(userId), ...seat(mock.find((each) => each.userId === userId)), rating }];
    });
    return {
      players,
      ...(own === undefined ? {} : { own: { ...rank, rating: own } }),
      pagination,
    };
  },
  create_player: (mock, { eventId, userId, username = '' }) => {
    admin(mock);
    const name = username.trim().toLowerCase();
    if (userId === undefined && name === '') throw invalid('username', 'Name a player.');
    const person = mock.find((each) =>
      userId === undefined ? each.username.toLowerCase() === name : each.userId === userId,
    );
    mustBeMember(person);
    const event = mock.events.event(eventId);
    mock.events.enrol(event, seat(person));
    return { player: event.participants.player(person.userId) };
  },
  update_player: (mock, { eventId, userId, updates, reason }) => {
    admin(mock);
    const by = receipt(mock, 'standing', reason);
    const { level, wins, losses, isEliminated } = updates;
    checkCount('level', level, 1);
    checkCount('wins', wins, 0);
    checkCount('losses', losses, 0);
    const event = mock.events.event(eventId ?? lastEventOf(mock, userId));
    const change = { level, wins, losses: event.lossesFor(userId, losses, isEliminated) };
    event.correct(userId, Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)), by);
    return { player: event.participants.player(userId) };
  },
  set_event: (mock, { eventId, userId }) => ({ player: managed(mock, eventId).participants.player(userId) }),
  clear_event: (mock) => {
    admin(mock);
    return {};
  },
  record_result: (mock, { eventId, userId, didWin, reason }) => {
    admin(mock);
    const by = receipt(mock, 'result', reason);
    const event = mock.events.event(eventId ?? lastEventOf(mock, userId));
    event.mustBeCorrectable();
    const { level, wins, losses } = event.participants.player(userId);
    event.correct(userId, didWin ? { level: level + 1, wins: wins + 1 } : { losses: losses + 1 }, by);
    return { player: event.participants.player(userId) };
  },
  join_event_room: (mock, { eventId, userId, socketId }) => {
    acting(mock, userId);
    const event = mock.events.event(eventId);
    return socketId === undefined ? mock.events.visitRoom(event, mock.user) : mock.events.enterRoom(event, mock.user);
  },
  leave_event_room: (mock, { eventId, userId }) => {
    acting(mock, userId);
    mock.events.leaveRoom(eventId);
    return {};
  },
};

/** An event's lines of an iCalendar file. */
export function calendarEntry({ eventId, title, eventState, startTime, endTime }: Schemas['Event']): string[] {
  const stamp = (time = '') => time.replace(/[-:]|\.\d+/g, '');
  return [
    'BEGIN:VEVENT',
    `UID:${eventId}@morpion`,
    `DTSTAMP:${stamp(startTime)}`,
    `DTSTART:${stamp(startTime)}`,
    `DTEND:${stamp(endTime)}`,
    `SUMMARY:${title}`,
    `STATUS:${eventState === 'cancelled' ? 'CANCELLED' : 'CONFIRMED'}`,
    'END:VEVENT',
  ];
}

export const calendarFile = (entries: string[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Morpion//Mock//EN', ...entries, 'END:VCALENDAR', ''].join('\r\n');

/** The event as an iCalendar file; a private one with its token for whoever has that. */
export const calendar: Pick<Routes, 'getEventCalendar'> = {
  getEventCalendar: ({ mock, query, params }) => {
    const token = query.get('token');
    const eventId = params.event_id ?? '';
    const withToken = mock.events.known(eventId);
    if (token !== null && (withToken?.calendarToken === undefined || withToken.calendarToken !== token)) {
      throw notFound('Event');
    }
    const event = token === null ? mock.events.event(eventId) : withToken;
    if (event === undefined) throw notFound('Event');
    const text = calendarFile(calendarEntry(event.view()));
    return new HttpResponse(text, { headers: { 'Content-Type': 'text/calendar; charset=utf-8' } });
  },
};

/** Cancelled events are archived: they are listed only on request. */
function matching({ eventState, eventType, text = '', signedUp }: Schemas['EventFilter'], viewer: User | undefined) {
  const states = eventState === undefined ? undefined : [eventState].flat();
  const wanted = folded(text.trim());
  return (event: MockEvent) => {
    const { title, description, eventType: type } = event.view();
    return (
      (signedUp !== true || (isOpen(event) && event.participants.isIn(viewer?.userId))) &&
      (states === undefined ? event.state !== 'cancelled' : states.includes(event.state)) &&
      (eventType === undefined || type === eventType) &&
      folded(`${title}\n${description}`).includes(wanted)
    );
  };
}

/** Keeps the receipt of an organiser's word as long as the word is. */
function vouched(mock: MockServer, event: MockEvent): MockEvent {
  const receipt = event.vouch ?? { at: new Date().toISOString(), by: mock.user.username };
  event.vouch = event.isRatedOnOneNetwork ? receipt : undefined;
  return event;
}

const isOpen = ({ state }: MockEvent) => state === 'published' || state === 'started';

function leaderboard(mock: MockServer, eventId: string, page: { page?: number; limit?: number }) {
  const isAdmin = mock.viewer?.isAdmin === true;
  const { items, pagination } = paged(mock.events.event(eventId).participants.leaderboard(), page);
  return { players: items.map((player) => (isAdmin ? withEmail(mock, player) : player)), pagination };
}

function withEmail<T extends { userId: string }>(mock: MockServer, person: T): T & { email: string } {
  return { ...person, email: mock.find(({ userId }) => userId === person.userId).email };
}

function admin(mock: MockServer): void {
  if (!mock.user.isAdmin) throw adminsOnly();
}

function managed(mock: MockServer, eventId: string): MockEvent {
  admin(mock);
  return mock.events.event(eventId);
}

function lastEventOf({ events }: MockServer, userId: string): string {
  const last = events.lastJoinedBy(userId);
  if (last === undefined) throw notFound('Player');
  return last.eventId;
}

function receipt(mock: MockServer, what: Schemas['CorrectionKind'], reason?: string) {
  if (reason !== undefined) mustHaveReason(reason);
  return { by: mock.user.username, what, ...(reason === undefined ? {} : { reason: reason.trim() }) };
}

function mustHaveReason(reason: string): void {
  if (reason.trim() === '' || reason.trim().length > 500)
    throw invalid('reason', 'A reason of 1 to 500 characters is needed.');
}

/** Refuses values outside the range. */
function checkCount(field: string, value: number | undefined, least: number): void {
  if (value === undefined || (value >= least && value <= MOST)) return;
  throw invalid(`updates.${field}`, `Between ${least} and ${MOST}.`);
}
