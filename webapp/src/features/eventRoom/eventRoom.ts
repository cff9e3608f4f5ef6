import type { ServerEvents } from '@/realtime/protocol';
import { eventPath, gamePath } from '@/shared/events/postGameRedirect';

type Player = ServerEvents['eventJoined']['player'];
type Queue = Omit<ServerEvents['queueUpdate'], 'eventId'>;

/** Why the player is asked, and how many such losses in a row there were. */
export type StillThere = Pick<ServerEvents['stillThere'], 'reason' | 'strikes' | 'maxStrikes'>;

/** The state of the room, from which the page is rendered. */
export interface EventRoom {
  phase: 'connecting' | 'ready' | 'searching' | 'gameReady' | 'leaving' | 'error';
  /** The player lost by absence: no search starts until they confirm that they are back. */
  stillThere: StillThere | null;
  player: Player | null;
  /** The queue as last reported. */
  queue: Queue | null;
  /** When the search began, by the local clock. */
  searchingSince: number | null;
  opponent: ServerEvents['playerFound']['opponent'] | null;
  /** A message, such as that the opponent left or the search was refused. */
  notice: string | null;
  /** Where the room redirects, after which delay, and the message shown there. */
  redirect: { path: string; afterMs: number; notice?: string } | null;
  error: string | null;
}

export const initialEventRoom: EventRoom = {
  phase: 'connecting',
  stillThere: null,
  player: null,
  queue: null,
  searchingSince: null,
  opponent: null,
  notice: null,
  redirect: null,
  error: null,
};

/** Redirect delays (docs/behaviour/webapp.md#event-room) if the server gives none. */
export const PLAYER_FOUND_MS = 2_000;
export const BACK_TO_EVENT_MS = 1_500;
export const REDIRECT_MS = 1_500;
export const NOTICE_MS = 5_000;
/** After a game the next search starts automatically. */
export const NEXT_MATCH_SECONDS = 7;
/** From this level on it may take longer to find an opponent. */
export const HIGH_LEVEL = 8;

export const JOIN_ROOM_FAILED = 'Failed to join event room';
export const CONNECT_FAILED = 'Failed to connect to matchmaking service';
export const INIT_FAILED = 'Failed to initialize game room';
export const CONNECTION_ERROR = 'Connection error';
export const MISSING_USER_OR_EVENT = 'User not authenticated or event ID missing';
export const OPPONENT_DISCONNECTED = 'Your opponent disconnected. Looking for another one.';

export type EventRoomEvent =
  | { type: 'joined'; data: ServerEvents['eventJoined'] }
  | { type: 'joinFailed'; message: string }
  | { type: 'notAdmitted'; eventId: string; code: string; message: string }
  | { type: 'absenceNoted'; data: ServerEvents['stillThere'] }
  | { type: 'removed'; data: ServerEvents['removedFromRoom'] }
  | { type: 'connectionLost' }
  | { type: 'searching'; data: ServerEvents['matchmakingStarted']; now: number }
  | { type: 'queueChanged'; data: ServerEvents['queueUpdate']; now: number }
  | { type: 'searchFailed'; message: string }
  | { type: 'playerFound'; data: ServerEvents['playerFound'] }
  | { type: 'searchCancelled'; data: ServerEvents['matchmakingCancelled'] }
  | { type: 'opponentLeft'; now: number }
  | { type: 'redirected'; data: ServerEvents['redirectToGame'] }
  | { type: 'eventOver'; eventId: string; message: string }
  | { type: 'noticeRead' };

export function eventRoomReducer(room: EventRoom, event: EventRoomEvent): EventRoom {
  switch (event.type) {
    case 'joined': {
      const { player, queueSize } = event.data;
      const queue = { queueSize, playing: room.queue?.playing ?? 0, waitedMs: 0 };
      // A search survives a reconnection, and a found game is about to open.
      const phase = room.phase === 'connecting' || room.phase === 'error' ? 'ready' : room.phase;
      // The loss was on the game's page, where its frame was heard.
      return {
        ...room,
        phase,
        player,
        stillThere: event.data.absence ?? null,
        queue: room.queue ?? queue,
        error: null,
      };
    }
    case 'absenceNoted': {
      const { reason, strikes, maxStrikes } = event.data;
      return isRedirecting(room)
        ? room
        : { ...room, phase: 'ready', searchingSince: null, stillThere: { reason, strikes, maxStrikes } };
    }
    case 'removed':
      // The event's page says why, by its state.
      return toEvent(room, event.data.eventId);
    case 'notAdmitted':
      // The event's page shows the event's state itself; any other reason is passed as a notice.
      return toEvent(room, event.eventId, isEventStateCode(event.code) ? undefined : event.message);
    case 'joinFailed':
      return { ...room, phase: 'error', error: event.message };
    case 'connectionLost':
      return isRedirecting(room) ? room : { ...room, phase: 'connecting' };
    case 'searching':
    case 'queueChanged':
      // A late queue update does not cancel a found game.
      return isRedirecting(room) ? room : searching(room, event.data, event.now);
    case 'searchFailed':
      return isRedirecting(room) ? room : { ...room, phase: 'ready', searchingSince: null, notice: event.message };
    case 'playerFound': {
      const { gameId, opponent, unratedBecause, redirectInMs } = event.data;
      return {
        ...room,
        phase: 'gameReady',
        opponent,
        notice: unratedBecause ?? null,
        searchingSince: null,
        redirect: { path: gamePath(gameId), afterMs: redirectInMs || PLAYER_FOUND_MS },
      };
    }
    case 'searchCancelled': {
      const { eventId, message, redirectInMs } = event.data;
      return leaving(room, eventId, message, redirectInMs || BACK_TO_EVENT_MS);
    }
    case 'opponentLeft':
      if (room.phase !== 'gameReady') return room;
      return {
        ...room,
        phase: 'searching',
        opponent: null,
        redirect: null,
        searchingSince: event.now,
        notice: OPPONENT_DISCONNECTED,
      };
    case 'redirected': {
      const { gameId, redirectInMs } = event.data;
      const redirect = { path: gamePath(gameId), afterMs: redirectInMs || REDIRECT_MS };
      return { ...room, phase: 'gameReady', searchingSince: null, redirect };
    }
    case 'eventOver':
      return room.phase === 'gameReady' ? room : leaving(room, event.eventId, event.message, BACK_TO_EVENT_MS);
    case 'noticeRead':
      return { ...room, notice: null };
  }
}

/** Whether a refusal follows from the event's or the player's state, which the event's page shows itself. */
export function isEventStateCode(code: string): boolean {
  return STATES.includes(code);
}

const STATES = [
  'event-ended',
  'event-cancelled',
  'event-not-started',
  'event-not-ready',
  'eliminated',
  'removed',
  'tournament-closed',
];

function toEvent(room: EventRoom, eventId: string, notice?: string): EventRoom {
  const redirect = { path: eventPath(eventId), afterMs: 0, ...(notice === undefined ? {} : { notice }) };
  return { ...room, phase: 'leaving', searchingSince: null, redirect };
}

function isRedirecting({ phase }: EventRoom): boolean {
  return phase === 'gameReady' || phase === 'leaving';
}

function searching(room: EventRoom, { eventId, ...queue }: ServerEvents['queueUpdate'], now: number): EventRoom {
  return { ...room, phase: 'searching', stillThere: null, queue, searchingSince: now - queue.waitedMs, error: null };
}

function leaving(room: EventRoom, eventId: string, message: string, afterMs: number): EventRoom {
  return {
    ...room,
    phase: 'leaving',
    searchingSince: null,
    notice: message,
    redirect: { path: eventPath(eventId), afterMs },
  };
}
