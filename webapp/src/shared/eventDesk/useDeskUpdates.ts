import { useThrottledCallback } from '@mantine/hooks';
import { useEffect } from 'react';
import { useRealtime, useRealtimeEvent } from '@/realtime/RealtimeContext';
import { selectConnectionStatus } from '@/realtime/realtimeSlice';
import { useEventChanges, useRefreshEvent } from '@/shared/events/useEventUpdates';
import { useAppSelector } from '@/shared/storeHooks';
import type { DeskOf } from './deskOf';

/** Standings and games of a busy event change many times a second; more updates than this cannot be read, in milliseconds. */
export const REFRESH_MS = 2_000;
/** The sign-ups of a big event fill many pages, so they are loaded again less often, in milliseconds. */
export const REFRESH_SIGN_UPS_MS = 10_000;

/** Keeps one event, its sign-ups, standings and games up to date while they are on screen. */
export function useDeskUpdates(eventId: string, { isHost }: DeskOf): void {
  const connection = useRealtime();
  const isConnected = useAppSelector(selectConnectionStatus) === 'connected';
  const refresh = useRefreshEvent(eventId);
  const refreshStandings = useThrottledCallback(() => refresh('Events', 'Standings', 'Rounds'), REFRESH_MS);
  const refreshSignUps = useThrottledCallback(() => refresh('SignUps'), REFRESH_SIGN_UPS_MS);
  const refreshGames = useThrottledCallback(() => refresh('Games'), REFRESH_MS);

  useEventChanges(eventId, () => {
    refreshStandings();
    refreshSignUps();
    if (isHost) refreshGames();
  });
  useRealtimeEvent('liveGamesChanged', ({ games, ended }) => {
    if (ended.length > 0 || games.some((game) => game.eventId === eventId)) refreshGames();
  });

  useEffect(() => {
    // Admins subscribe to all live games; the server drops the subscription with the connection.
    if (isConnected && !isHost) connection.send('subscribeLiveGames', {});
  }, [connection, isConnected, isHost]);
}
