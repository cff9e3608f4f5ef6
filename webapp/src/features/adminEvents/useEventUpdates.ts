import { useThrottledCallback } from '@mantine/hooks';
import { useEffect } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { api } from '@/api/base';
import { useRealtime, useRealtimeEvent } from '@/realtime/RealtimeContext';
import { selectConnectionStatus } from '@/realtime/realtimeSlice';

/** Standings and games of a busy event change many times a second; nobody reads faster than this, in milliseconds. */
export const REFRESH_MS = 2_000;
/** All sign-ups of a big event are many pages: they are asked for again less often, in milliseconds. */
export const REFRESH_SIGN_UPS_MS = 10_000;

/** Keeps one event, its people, standings and games fresh while they are on screen. */
export function useEventUpdates(eventId: string): void {
  const dispatch = useDispatch();
  const connection = useRealtime();
  const isConnected = useSelector(selectConnectionStatus) === 'connected';

  const refresh = (...types: ('Events' | 'SignUps' | 'Standings' | 'Games')[]) =>
    dispatch(api.util.invalidateTags(types.map((type) => ({ type, id: eventId }))));
  const refreshStandings = useThrottledCallback(() => refresh('Events', 'Standings'), REFRESH_MS);
  const refreshSignUps = useThrottledCallback(() => refresh('SignUps'), REFRESH_SIGN_UPS_MS);
  const refreshGames = useThrottledCallback(() => refresh('Games'), REFRESH_MS);

  useRealtimeEvent('eventStateChanged', (change) => {
    if (change.eventId === eventId) refresh('Events', 'SignUps', 'Standings', 'Games');
  });
  useRealtimeEvent('eventConcluded', (change) => {
    if (change.eventId === eventId) refresh('Events', 'SignUps', 'Standings', 'Games');
  });
  useRealtimeEvent('eventAnnouncement', (announcement) => {
    if (announcement.eventId === eventId) refresh('Events');
  });
  useRealtimeEvent('refreshLeaderboard', (change) => {
    if (change.eventId !== eventId) return;
    refreshStandings();
    refreshSignUps();
  });
  useRealtimeEvent('liveGamesChanged', ({ games, ended }) => {
    if (ended.length > 0 || games.some((game) => game.eventId === eventId)) refreshGames();
  });
  useRealtimeEvent('authenticated', () => refresh('Events', 'SignUps', 'Standings', 'Games'));

  useEffect(() => {
    // Admins are told of all live games once they ask; the server forgets that with the connection.
    if (isConnected) connection.send('subscribeLiveGames', {});
  }, [connection, isConnected]);
}
