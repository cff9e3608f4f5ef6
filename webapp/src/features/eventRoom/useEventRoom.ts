import { useCallback, useEffect, useReducer, useRef } from 'react';
import { RealtimeError } from '@/realtime/connection';
import { useRealtime, useRealtimeEvent } from '@/realtime/RealtimeContext';
import { selectConnectionStatus } from '@/realtime/realtimeSlice';
import {
  CONNECT_FAILED,
  CONNECTION_ERROR,
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

/** Joins the event's room, rejoins after reconnections, searches on request, and leaves on unmount. */
export function useEventRoom(eventId: string, userId: string) {
  const connection = useRealtime();
  const isConnected = useAppSelector(selectConnectionStatus) === 'connected';
  const [room, dispatch] = useReducer(eventRoomReducer, initialEventRoom);
  // A search survives the connection: it is requested again after the next one.
  const isWanted = useRef(false);

  const search = useCallback(() => {
    isWanted.current = true;
    const ask = () => {
      connection.request('findMatch', { eventId, userId }).catch((error: unknown) => {
        const code = error instanceof RealtimeError ? error.code : '';
        // It is requested again with the next connection.
        if (code === 'disconnected') return;
        if (code === 'timeout') {
          if (isWanted.current) ask();
          return;
        }
        isWanted.current = false;
        const message = words(error, CONNECTION_ERROR);
        if (isEventStateCode(code)) dispatch({ type: 'notAdmitted', eventId, code, message });
        else dispatch({ type: 'searchFailed', message });
      });
    };
    ask();
  }, [connection, eventId, userId]);

  const enter = useCallback(() => {
    connection.request('joinEventRoom', { eventId, userId }).then(
      () => {
        if (isWanted.current) search();
      },
      (error: unknown) => {
        const code = error instanceof RealtimeError ? error.code : 'internal';
        if (code === 'disconnected') return;
        const message = code === 'timeout' ? CONNECT_FAILED : words(error, JOIN_ROOM_FAILED);
        if (PASSING.includes(code)) dispatch({ type: 'joinFailed', message });
        else dispatch({ type: 'notAdmitted', eventId, code, message });
      },
    );
  }, [connection, eventId, userId, search]);

  useEffect(() => {
    if (isConnected) enter();
    else dispatch({ type: 'connectionLost' });
  }, [isConnected, enter]);

  useEffect(
    () => () => {
      isWanted.current = false;
      connection.send('leaveEventRoom', { eventId, userId });
    },
    [connection, eventId, userId],
  );

  const cancel = useCallback(() => {
    isWanted.current = false;
    return connection.request('cancelMatchmaking', { eventId, userId });
  }, [connection, eventId, userId]);

  useRealtimeEvent('eventJoined', (data) => {
    if (data.eventId === eventId) dispatch({ type: 'joined', data });
  });
  useRealtimeEvent('matchmakingStarted', (data) => {
    if (data.eventId !== eventId) return;
    // It may have been requested before a reload, or in another tab.
    isWanted.current = true;
    dispatch({ type: 'searching', data, now: Date.now() });
  });
  useRealtimeEvent('queueUpdate', (data) => {
    if (data.eventId === eventId && isWanted.current) dispatch({ type: 'queueChanged', data, now: Date.now() });
  });
  useRealtimeEvent('playerFound', (data) => {
    if (data.eventId !== eventId) return;
    isWanted.current = false;
    dispatch({ type: 'playerFound', data });
  });
  useRealtimeEvent('matchmakingCancelled', (data) => {
    if (data.eventId !== eventId) return;
    isWanted.current = false;
    dispatch({ type: 'searchCancelled', data });
  });
  useRealtimeEvent('stillThere', (data) => {
    if (data.eventId !== eventId) return;
    isWanted.current = false;
    dispatch({ type: 'absenceNoted', data });
  });
  useRealtimeEvent('removedFromRoom', (data) => {
    if (data.eventId !== eventId) return;
    isWanted.current = false;
    dispatch({ type: 'removed', data });
  });
  useRealtimeEvent('redirectToGame', (data) => {
    isWanted.current = false;
    dispatch({ type: 'redirected', data });
  });
  useRealtimeEvent('eventStateChanged', ({ eventId: changed, eventState }) => {
    if (changed !== eventId || (eventState !== 'ended' && eventState !== 'cancelled')) return;
    isWanted.current = false;
    dispatch({ type: 'eventOver', eventId, message: OVER[eventState] });
  });

  // The found game was cancelled: the search continues, or the server names the remaining game.
  const found = room.phase === 'gameReady' ? room.redirect?.path : undefined;
  useRealtimeEvent('opponentDisconnected', ({ gameId, userId: who }) => {
    if (who === userId || found !== `/app/game/${gameId}`) return;
    dispatch({ type: 'opponentLeft', now: Date.now() });
    isWanted.current = true;
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

function words(error: unknown, otherwise: string): string {
  return error instanceof Error && error.message !== '' ? error.message : otherwise;
}
