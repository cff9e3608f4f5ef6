import type { EndReason, Event } from '@/api/events';

/** What decides where a player of an event goes, all from the server's state. */
export interface ParticipantState {
  eventId: string;
  event: Pick<Event, 'eventState'>;
  isEliminated: boolean;
  /** Was absent in two games in a row; the event's page lets them return. */
  isTakenOut?: boolean;
  /** The event game that they just played; absent if they come from elsewhere. */
  lastGame?: { status: string; reason?: EndReason | undefined; hasWon: boolean };
}

export interface PostGameRedirect {
  /** `next`: the room, which soon searches automatically; `room`: without a search; `event`: the event's page. */
  to: 'next' | 'room' | 'event';
  path: string;
}

/** After such a loss the player may be absent: no search starts until they confirm. */
const ABSENT: readonly (EndReason | undefined)[] = ['noShow', 'declined', 'timeout', 'disconnect'];

export const eventPath = (eventId: string) => `/app/events/view/${eventId}`;
/** For the projector of a hall. */
export const screenPath = (eventId: string) => `/screen/${eventId}`;
export const roomPath = (eventId: string) => `/app/game/event/${eventId}`;
export const gamePath = (gameId: string) => `/app/game/${gameId}`;

/** Where a player of an event goes: to its room while it is open to them, else to its page. */
export function postGameRedirect({
  eventId,
  event,
  isEliminated,
  isTakenOut = false,
  lastGame,
}: ParticipantState): PostGameRedirect {
  const isOpen = event.eventState === 'started' && !isEliminated;
  if (!isOpen || isTakenOut || lastGame?.status === 'cancelled') return { to: 'event', path: eventPath(eventId) };
  if (lastGame === undefined) return { to: 'room', path: roomPath(eventId) };
  const isAbsent = !lastGame.hasWon && ABSENT.includes(lastGame.reason);
  return isAbsent
    ? { to: 'room', path: roomPath(eventId) }
    : { to: 'next', path: `${roomPath(eventId)}?fromGame=true` };
}
