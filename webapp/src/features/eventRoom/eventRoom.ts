import type { ServerEvents } from '@/realtime/protocol';

type Player = ServerEvents['eventJoined']['player'];
type Queue = Omit<ServerEvents['queueUpdate'], 'eventId'>;

/** What the room knows. Everything the person sees follows from this (events and gameplay, sections 2 and 4). */
export interface EventRoom {
  phase: 'connecting' | 'ready' | 'searching' | 'gameReady' | 'leaving' | 'error';
  player: Player | null;
  /** Of those who wait, as far as we were told. */
  queue: Queue | null;
  /** When the search began, by our clock. */
  searchingSince: number | null;
  opponent: ServerEvents['playerFound']['opponent'] | null;
  /** What is said beside the rest: an opponent left, the search was refused. */
  notice: string | null;
  /** Where the room leads by itself, and after how many milliseconds. */
  leadsTo: { path: string; afterMs: number } | null;
  error: string | null;
}

export const initialEventRoom: EventRoom = {
  phase: 'connecting',
  player: null,
  queue: null,
  searchingSince: null,
  opponent: null,
  notice: null,
  leadsTo: null,
  error: null,
};

/** Redirects (events and gameplay, section 9), for a server that does not say when. */
export const PLAYER_FOUND_MS = 2_000;
export const BACK_TO_EVENT_MS = 1_500;
export const REDIRECT_MS = 1_500;
export const NOTICE_MS = 5_000;
/** After a game the next match starts by itself. */
export const NEXT_MATCH_SECONDS = 7;
/** From this level on it may take longer to find somebody. */
export const HIGH_LEVEL = 8;

export const JOIN_ROOM_FAILED = 'Failed to join event room';
export const CONNECT_FAILED = 'Failed to connect to matchmaking service';
export const INIT_FAILED = 'Failed to initialize game room';
export const CONNECTION_ERROR = 'Connection error';
export const NOBODY_OR_NOWHERE = 'User not authenticated or event ID missing';
export const OPPONENT_DISCONNECTED = 'Your opponent disconnected. Looking for another one.';

export type EventRoomEvent =
  | { type: 'joined'; data: ServerEvents['eventJoined'] }
  | { type: 'joinFailed'; message: string }
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
      // A search outlives a reconnection, and a game that was found is on its way.
      const phase = room.phase === 'connecting' || room.phase === 'error' ? 'ready' : room.phase;
      return { ...room, phase, player, queue: room.queue ?? queue, error: null };
    }
    case 'joinFailed':
      return { ...room, phase: 'error', error: event.message };
    case 'connectionLost':
      return isOnItsWay(room) ? room : { ...room, phase: 'connecting' };
    case 'searching':
    case 'queueChanged':
      // A late word about the queue does not call a found game off.
      return isOnItsWay(room) ? room : searching(room, event.data, event.now);
    case 'searchFailed':
      return isOnItsWay(room) ? room : { ...room, phase: 'ready', searchingSince: null, notice: event.message };
    case 'playerFound': {
      const { gameId, opponent, redirectInMs } = event.data;
      return {
        ...room,
        phase: 'gameReady',
        opponent,
        notice: null,
        searchingSince: null,
        leadsTo: { path: `/app/game/${gameId}`, afterMs: redirectInMs || PLAYER_FOUND_MS },
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
        leadsTo: null,
        searchingSince: event.now,
        notice: OPPONENT_DISCONNECTED,
      };
    case 'redirected': {
      const { gameId, redirectInMs } = event.data;
      const leadsTo = { path: `/app/game/${gameId}`, afterMs: redirectInMs || REDIRECT_MS };
      return { ...room, phase: 'gameReady', searchingSince: null, leadsTo };
    }
    case 'eventOver':
      return room.phase === 'gameReady' ? room : leaving(room, event.eventId, event.message, BACK_TO_EVENT_MS);
    case 'noticeRead':
      return { ...room, notice: null };
  }
}

function isOnItsWay({ phase }: EventRoom): boolean {
  return phase === 'gameReady' || phase === 'leaving';
}

function searching(room: EventRoom, { eventId, ...queue }: ServerEvents['queueUpdate'], now: number): EventRoom {
  return { ...room, phase: 'searching', queue, searchingSince: now - queue.waitedMs, error: null };
}

function leaving(room: EventRoom, eventId: string, message: string, afterMs: number): EventRoom {
  return {
    ...room,
    phase: 'leaving',
    searchingSince: null,
    notice: message,
    leadsTo: { path: `/app/events/view/${eventId}`, afterMs },
  };
}
