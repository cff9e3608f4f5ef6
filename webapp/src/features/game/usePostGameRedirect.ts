import { skipToken } from '@reduxjs/toolkit/query';
import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { isApiError } from '@/api/base';
import { useEventQuery, usePlayerForEventQuery } from '@/api/events';
import { useRealtimeEvent } from '@/realtime/RealtimeContext';
import { useHasStarted } from '@/shared/useHasStarted';
import { gamePath, type PostGameRedirect, postGameRedirect } from '@/shared/events/postGameRedirect';
import { pathAfterForfeit, eventOf, type LiveGame } from './liveGame';

/** How long the end of an event game stays on screen: docs/behaviour/webapp.md#live-game. */
export const POST_GAME_REDIRECT_MS = 3_000;

interface Options {
  userId: string;
  game: LiveGame;
  isPlayer: boolean;
}

/** Cached data from before the end of the game may be stale. */
const FRESH = { refetchOnMountOrArgChange: true, refetchOnFocus: true, refetchOnReconnect: true } as const;

/**
 * Redirects the players of a finished event game after 3 s to the next match or to the event, depending on the event's
 * state and their own standing, however the page learned of the end. Null if there is no redirect, or while the server
 * has not responded.
 */
export function usePostGameRedirect({ userId, game, isPlayer }: Options): PostGameRedirect | null {
  const navigate = useNavigate();
  const { state } = game;
  const eventId = state === null ? null : eventOf(state);
  const isCancelled = game.cancelled !== null;
  const isOver = isPlayer && eventId !== null && state?.status === 'completed';

  const event = useEventQuery(isOver ? eventId : skipToken, FRESH);
  const standing = usePlayerForEventQuery(isOver ? { eventId, userId } : skipToken, FRESH);
  const hasStarted = useHasStarted(isOver);
  const refetch = () => {
    if (!hasStarted.current) return;
    void event.refetch();
    void standing.refetch();
  };
  useRealtimeEvent('eventStateChanged', refetch);
  // The last move is sent before its result is counted.
  useRealtimeEvent('gameEnd', refetch);
  useRealtimeEvent('authenticated', refetch);
  // After a win by absence the next game may be found before this page is left.
  useRealtimeEvent('playerFound', (found) => {
    if (isOver && found.eventId === eventId) void navigate(gamePath(found.gameId), { replace: true });
  });

  const notice = standing.data?.takenOut;
  const redirect = ((): PostGameRedirect | null => {
    if (isCancelled) return { to: 'event', path: pathAfterForfeit(state) };
    if (!isOver || state === null || event.isFetching || standing.isFetching) return null;
    const failure = event.error ?? standing.error;
    if (failure !== undefined || event.data === undefined || standing.data === undefined) {
      // Offline, the page waits for the network; the event's page explains any other failure.
      const isOffline = isApiError(failure) && failure.status === 0;
      return isOffline ? null : { to: 'event', path: pathAfterForfeit(state) };
    }
    const { status, reason, winnerUserId } = state;
    const lastGame = { status, reason, hasWon: winnerUserId === userId };
    const { isEliminated } = standing.data;
    return postGameRedirect({ eventId, event: event.data, isEliminated, isTakenOut: notice !== undefined, lastGame });
  })();

  // The delay counts from the end, however often data is reloaded.
  const seenAt = useRef<number | null>(null);
  useEffect(() => {
    if (isOver || isCancelled) seenAt.current ??= Date.now();
  }, [isOver, isCancelled]);
  const path = redirect?.path;
  useEffect(() => {
    if (path === undefined) return;
    const left = (seenAt.current ?? Date.now()) + POST_GAME_REDIRECT_MS - Date.now();
    const state = notice === undefined ? null : { notice };
    const timer = setTimeout(() => void navigate(path, { replace: true, state }), Math.max(0, left));
    return () => clearTimeout(timer);
  }, [path, notice, navigate]);
  return redirect;
}
