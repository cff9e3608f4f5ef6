import { type Dispatch, type RefObject, useCallback, useEffect, useReducer, useRef } from 'react';
import { RealtimeError } from '@/realtime/connection';
import { useRealtime, useRealtimeEvent } from '@/realtime/RealtimeContext';
import { selectConnectionStatus } from '@/realtime/realtimeSlice';
import {
  CONNECT_FAILED,
  CONNECTION_ERROR,
  type EventRoomEvent,
  eventRoomReducer,
  initialEventRoom,
  isEventStateCode,
  JOIN_ROOM_FAILED,
  NOTICE_MS,
} from './eventRoom';
import { useAppSelector } from '@/shared/storeHooks';

const OVER = { ended: 'The event has ended.', cancelled: 'The event was cancelled.' };

/** Failures that a retry may resolve; other refusals are final, and the event's page shows what to do. */
const PASSING = ['timeout', 'overloaded', 'internal', 'unavailable', 'too-many-requests'];

/**
 * Joins the event's room, rejoins after reconnections, searches on request, and leaves on unmount. Where `isStage` nobody
 * searches: the server opens the games.
 */
export function useEventRoom(eventId: string, userId: string, isStage = false) {
  const connection = useRealtime();
  const isConnected = useAppSelector(selectConnectionStatus) === 'connected';
  const [room, dispatch] = useReducer(eventRoomReducer, initialEventRoom);
  // A search survives the connection: it is requested again after the next one.
  const isWantedRef = useRef(false);
  const parts = { eventId, userId, dispatch, isWantedRef };
  const { enter, search, cancel } = useRoomRequests(parts);
  useRoomFrames(parts);

  useEffect(() => {
    if (isConnected) enter();
    else dispatch({ type: 'connectionLost' });
  }, [isConnected, enter]);

  useEffect(
    () => () => {
      isWantedRef.current = false;
      connection.send('leaveEventRoom', { eventId, userId });
    },
    [connection, eventId, userId],
  );

  // The found game was cancelled: the search continues, or the server names the remaining game.
  const found = room.phase === 'gameReady' ? room.redirect?.path : undefined;
  useRealtimeEvent('opponentDisconnected', ({ gameId, userId: who }) => {
    // A game of a match stays, and its page shows who is away.
    if (isStage || who === userId || found !== `/app/game/${gameId}`) return;
    dispatch({ type: 'opponentLeft', now: Date.now() });
    isWantedRef.current = true;
    enter();
  });
  const { notice, phase } = room;
  useEffect(() => {
    if (notice === null || phase === 'leaving') return;
    const timer = setTimeout(() => dispatch({ type: 'noticeRead' }), NOTICE_MS);
    return () => clearTimeout(timer);
  }, [notice, phase]);

  return { room, enter, search, cancel };
}

interface RoomParts {
  eventId: string;
  userId: string;
  dispatch: Dispatch<EventRoomEvent>;
  /** Whether the player wants an opponent. */
  isWantedRef: RefObject<boolean>;
}

/** What the room asks of the server. */
function useRoomRequests({ eventId, userId, dispatch, isWantedRef }: RoomParts) {
  const connection = useRealtime();
  const search = useCallback(() => {
    isWantedRef.current = true;
    const ask = () => {
      connection.request('findMatch', { eventId, userId }).catch((error: unknown) => {
        const code = error instanceof RealtimeError ? error.code : '';
        // It is requested again with the next connection.
        if (code === 'disconnected') return;
        if (code === 'timeout') {
          if (isWantedRef.current) ask();
          return;
        }
        isWantedRef.current = false;
        const message = words(error, CONNECTION_ERROR);
        if (isEventStateCode(code)) dispatch({ type: 'notAdmitted', eventId, code, message });
        else dispatch({ type: 'searchFailed', message });
      });
    };
    ask();
  }, [connection, eventId, userId, dispatch, isWantedRef]);

  const enter = useCallback(() => {
    connection.request('joinEventRoom', { eventId, userId }).then(
      () => {
        if (isWantedRef.current) search();
      },
      (error: unknown) => {
        const code = error instanceof RealtimeError ? error.code : 'internal';
        if (code === 'disconnected') return;
        const message = code === 'timeout' ? CONNECT_FAILED : words(error, JOIN_ROOM_FAILED);
        if (PASSING.includes(code)) dispatch({ type: 'joinFailed', message });
        else dispatch({ type: 'notAdmitted', eventId, code, message });
      },
    );
  }, [connection, eventId, userId, dispatch, isWantedRef, search]);

  const cancel = useCallback(() => {
    isWantedRef.current = false;
    return connection.request('cancelMatchmaking', { eventId, userId });
  }, [connection, eventId, userId, isWantedRef]);

  return { enter, search, cancel };
}

/** What the server tells the room. */
function useRoomFrames({ eventId, dispatch, isWantedRef }: RoomParts): void {
  useRealtimeEvent('eventJoined', (data) => {
    if (data.eventId === eventId) dispatch({ type: 'joined', data });
  });
  useRealtimeEvent('matchmakingStarted', (data) => {
    if (data.eventId !== eventId) return;
    // It may have been requested before a reload, or in another tab.
    isWantedRef.current = true;
    dispatch({ type: 'searching', data, now: Date.now() });
  });
  useRealtimeEvent('queueUpdate', (data) => {
    if (data.eventId === eventId && isWantedRef.current) dispatch({ type: 'queueChanged', data, now: Date.now() });
  });
  useRealtimeEvent('playerFound', (data) => {
    if (data.eventId !== eventId) return;
    isWantedRef.current = false;
    dispatch({ type: 'playerFound', data });
  });
  useRealtimeEvent('matchmakingCancelled', (data) => {
    if (data.eventId !== eventId) return;
    isWantedRef.current = false;
    dispatch({ type: 'searchCancelled', data });
  });
  useRealtimeEvent('stillThere', (data) => {
    if (data.eventId !== eventId) return;
    isWantedRef.current = false;
    dispatch({ type: 'absenceNoted', data });
  });
  useRealtimeEvent('removedFromRoom', (data) => {
    if (data.eventId !== eventId) return;
    isWantedRef.current = false;
    dispatch({ type: 'removed', data });
  });
  useRealtimeEvent('redirectToGame', (data) => {
    isWantedRef.current = false;
    dispatch({ type: 'redirected', data });
  });
  useRealtimeEvent('eventStateChanged', ({ eventId: changed, eventState }) => {
    if (changed !== eventId || (eventState !== 'ended' && eventState !== 'cancelled')) return;
    isWantedRef.current = false;
    dispatch({ type: 'eventOver', eventId, message: OVER[eventState] });
  });
}

function words(error: unknown, otherwise: string): string {
  return error instanceof Error && error.message !== '' ? error.message : otherwise;
}
