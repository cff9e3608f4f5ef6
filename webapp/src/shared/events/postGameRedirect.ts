import type { EndReason, Event } from '@/api/events';

/** What decides where a player of an event belongs. All of it is the server's state; no frame alone decides. */
export interface ParticipantState {
  eventId: string;
  event: Pick<Event, 'eventState'>;
  isEliminated: boolean;
  /** Was away for two games in a row; the event's page lets them come back. */
  isTakenOut?: boolean;
  /** The event game that they just played; absent where they come from elsewhere. */
  lastGame?: { status: string; reason?: EndReason | undefined; hasWon: boolean };
}

export interface PostGameRedirect {
  /** `next`: the room, which searches by itself after a moment; `room`: it waits to be told; `event`: the event's page. */
  to: 'next' | 'room' | 'event';
  path: string;
}

/** Whoever lost like this may not be there at all: nobody is looked for until they say so. */
const ABSENT: readonly (EndReason | undefined)[] = ['noShow', 'timeout', 'disconnect'];

export const eventPath = (eventId: string) => `/app/events/view/${eventId}`;
export const roomPath = (eventId: string) => `/app/game/event/${eventId}`;
export const gamePath = (gameId: string) => `/app/game/${gameId}`;

/** Where a player of an event goes: its room as long as it is open to them, else its page. */
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
