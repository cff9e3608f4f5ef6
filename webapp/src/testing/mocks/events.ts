/** The actions of events, sign-ups and players. */

import { HttpResponse } from 'msw';
import type { components } from '@/api/schema';
import { seat } from './game';
import { acting } from './games';
import type { ActionRoutes, Routes } from './http';
import { paged } from './paging';
import { adminsOnly, invalid, notFound } from './refusal';
import { checkCount, type Tournament } from './tournament';
import type { World } from './world';

type Schemas = components['schemas'];

/** Events of a page, if the caller does not say. */
const PAGE = 20;

export const events: ActionRoutes<'event'> = {
  get_event_by_id: ({ arena }, { eventId }) => ({ event: arena.event(eventId).view() }),
  list_events: ({ arena }, { filter = {}, ...page }) => {
    const { items, pagination } = paged(arena.all().filter(matching(filter)), page, PAGE);
    return { events: items.map((event) => event.view()), pagination };
  },
  verify_event: (world, { eventId }) => {
    admin(world);
    const event = world.arena.event(eventId);
    const games = world.gamesOf(eventId).filter(({ status }) => status === 'completed').length;
    const { corrections } = event;
    return { agrees: true, games, players: event.seats.length, differences: [], corrections };
  },
  create_event: (world, { eventState = 'drafted', ...plan }) => {
    admin(world);
    if (eventState !== 'drafted') throw invalid('eventState', 'A new event is a draft; publish it afterwards.');
    return { event: world.arena.add(plan).view() };
  },
  update_event: (world, { eventId, eventState, ...changes }) => {
    const event = managed(world, eventId);
    event.update(changes, eventState);
    return { event: event.view() };
  },
  delete_event: (world, { eventId }) => {
    world.arena.delete(managed(world, eventId));
    return {};
  },
  join_event: (world, { eventId, userId }) => {
    const { userId: self } = acting(world, userId);
    const event = world.arena.event(eventId);
    world.arena.join(event, world.user);
    return { requiresUpgrade: false, player: event.player(self) };
  },
  start_event: (world, { eventId }) => {
    const event = managed(world, eventId);
    world.arena.start(event);
    return { event: event.view() };
  },
  end_event: (world, { eventId }) => {
    const event = managed(world, eventId);
    world.arena.end(event);
    return { event: event.view() };
  },
  cancel_event: (world, { eventId }) => {
    const event = managed(world, eventId);
    world.arena.cancel(event);
    return { event: event.view() };
  },
  reopen_event: (world, { eventId, reason }) => {
    const event = managed(world, eventId);
    mustHaveReason(reason);
    world.arena.reopen(event);
    return { event: event.view() };
  },
  conclude_event: (world, { eventId }) => {
    const event = managed(world, eventId);
    world.arena.conclude(event);
    return { event: event.view() };
  },
  duplicate_event: (world, { eventId }) => ({ event: world.arena.add(managed(world, eventId).copy()).view() }),
  announce: (world, { eventId, message }) => {
    const event = managed(world, eventId);
    world.arena.announce(event, message);
    return { event: event.view() };
  },
  remove_participant: (world, { eventId, userId, reason }) => {
    const event = managed(world, eventId);
    mustHaveReason(reason);
    event.correct(userId, { isRemoved: true }, receipt(world, 'removal', reason));
    world.arena.showOut(event, userId);
    return { player: event.player(userId) };
  },
};

export const signups: ActionRoutes<'eventSignUp'> = {
  list_signups_for_event: (world, { eventId, ...page }) => {
    const { isAdmin } = world.user;
    const { items, pagination } = paged(world.arena.event(eventId).signups(), page);
    return { signups: items.map((signup) => (isAdmin ? withEmail(world, signup) : signup)), pagination };
  },
  list_signups_for_user: (world, { userId, ...page }) => {
    const { userId: self } = acting(world, userId);
    const own = world.arena.all().filter((event) => event.isSignedUp(self));
    const { items, pagination } = paged(own, page);
    return { signups: items.map((event) => event.signupOf(self)), pagination };
  },
  get_user_sign_up_status: (world, { eventId, userId }) => {
    const { userId: self } = acting(world, userId);
    return { isSignedUp: world.arena.event(eventId).isSignedUp(self) };
  },
  get_signup_by_event_and_user: (world, { eventId, userId }) => {
    const { userId: self } = acting(world, userId);
    return { signup: world.arena.event(eventId).signupOf(self) };
  },
  sign_up: (world, { eventId, userId }) => {
    acting(world, userId);
    return { signup: world.arena.signUp(world.arena.event(eventId), world.user) };
  },
  remove_signup: (world, { eventId, userId }) => {
    const self = acting(world, userId);
    world.arena.event(eventId).remove(self.userId);
    return {};
  },
};

export const players: ActionRoutes<'player'> = {
  get_player: (world, { userId, eventId }) => {
    const { isAdmin } = world.user;
    const player = world.arena.event(eventId ?? lastEventOf(world, userId)).player(userId);
    return { player: isAdmin ? withEmail(world, player) : player };
  },
  getPlayersByEvent: (world, { eventId, ...page }) => leaderboard(world, eventId, page),
  check_player_for_event: (world, { eventId, userId }) => {
    const { userId: self } = acting(world, userId);
    const event = world.arena.event(eventId);
    const player = event.isSignedUp(self) ? { player: event.player(self) } : {};
    const takenOut = event.takenOut(self);
    return { isEliminated: event.isEliminated(self), ...player, ...(takenOut === undefined ? {} : { takenOut }) };
  },
  get_leaderboard: (world, { eventId, ...page }) => leaderboard(world, eventId, page),
  create_player: (world, { eventId, userId }) => {
    admin(world);
    const person = seat(world.find((each) => each.userId === userId));
    const event = world.arena.event(eventId);
    event.enrol(person);
    return { player: event.player(userId) };
  },
  update_player: (world, { eventId, userId, updates, reason }) => {
    admin(world);
    const by = receipt(world, 'standing', reason);
    const { level, wins, losses, isEliminated } = updates;
    checkCount('level', level, 1);
    checkCount('wins', wins, 0);
    checkCount('losses', losses, 0);
    const event = world.arena.event(eventId ?? lastEventOf(world, userId));
    const change = { level, wins, losses: event.lossesFor(userId, losses, isEliminated) };
    event.correct(userId, Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)), by);
    return { player: event.player(userId) };
  },
  set_event: (world, { eventId, userId }) => ({ player: managed(world, eventId).player(userId) }),
  clear_event: (world) => {
    admin(world);
    return {};
  },
  record_result: (world, { eventId, userId, didWin, reason }) => {
    admin(world);
    const by = receipt(world, 'result', reason);
    const event = world.arena.event(eventId ?? lastEventOf(world, userId));
    event.mustBeCorrectable();
    const { level, wins, losses } = event.player(userId);
    event.correct(userId, didWin ? { level: level + 1, wins: wins + 1 } : { losses: losses + 1 }, by);
    return { player: event.player(userId) };
  },
  join_event_room: (world, { eventId, userId, socketId }) => {
    acting(world, userId);
    const event = world.arena.event(eventId);
    return socketId === undefined ? world.arena.visitRoom(event, world.user) : world.arena.enterRoom(event, world.user);
  },
  leave_event_room: (world, { eventId, userId }) => {
    acting(world, userId);
    world.arena.leaveRoom(eventId);
    return {};
  },
};

/** The event as a calendar takes it. */
export const calendar: Pick<Routes, 'getEventCalendar'> = {
  getEventCalendar: ({ world, params }) => {
    const { eventId, title, startTime, endTime } = world.arena.event(params.event_id ?? '').view();
    const stamp = (time = '') => time.replace(/[-:]|\.\d+/g, '');
    const lines = [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//Morpion//Mock//EN',
      'BEGIN:VEVENT',
      `UID:${eventId}@morpion`,
      `DTSTAMP:${stamp(startTime)}`,
      `DTSTART:${stamp(startTime)}`,
      `DTEND:${stamp(endTime)}`,
      `SUMMARY:${title}`,
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ];
    return new HttpResponse(lines.join('\r\n'), { headers: { 'Content-Type': 'text/calendar; charset=utf-8' } });
  },
};

/** Cancelled events are archived: only who asks for them is told of them. */
function matching({ eventState, eventType, text = '' }: Schemas['EventFilter']) {
  const states = eventState === undefined ? undefined : [eventState].flat();
  const wanted = text.trim().toLowerCase();
  return (event: Tournament) => {
    const { title, description, eventType: type } = event.view();
    return (
      (states === undefined ? event.state !== 'cancelled' : states.includes(event.state)) &&
      (eventType === undefined || type === eventType) &&
      `${title}\n${description}`.toLowerCase().includes(wanted)
    );
  };
}

function leaderboard(world: World, eventId: string, page: { page?: number; limit?: number }) {
  const { isAdmin } = world.user;
  const { items, pagination } = paged(world.arena.event(eventId).leaderboard(), page);
  return { players: items.map((player) => (isAdmin ? withEmail(world, player) : player)), pagination };
}

function withEmail<T extends { userId: string }>(world: World, person: T): T & { email: string } {
  return { ...person, email: world.find(({ userId }) => userId === person.userId).email };
}

function admin(world: World): void {
  if (!world.user.isAdmin) throw adminsOnly();
}

function managed(world: World, eventId: string): Tournament {
  admin(world);
  return world.arena.event(eventId);
}

function lastEventOf({ arena }: World, userId: string): string {
  const last = arena.lastJoinedBy(userId);
  if (last === undefined) throw notFound('Player');
  return last.eventId;
}

function receipt(world: World, what: Schemas['CorrectionKind'], reason?: string) {
  if (reason !== undefined) mustHaveReason(reason);
  return { by: world.user.username, what, ...(reason === undefined ? {} : { reason: reason.trim() }) };
}

function mustHaveReason(reason: string): void {
  if (reason.trim() === '' || reason.trim().length > 500)
    throw invalid('reason', 'A reason of 1 to 500 characters is needed.');
}
