import { useThrottledCallback } from '@mantine/hooks';
import { useDispatch } from 'react-redux';
import { api } from '@/api/base';
import { useRealtimeEvent } from '@/realtime/RealtimeContext';

/** Standings of a busy event change many times a second; nobody reads faster than this, in milliseconds. */
export const REFRESH_MS = 1_000;

/** Keeps the lists of events fresh: what changed while the connection was down was not told. */
export function useEventListUpdates(): void {
  const dispatch = useDispatch();
  const refresh = () => dispatch(api.util.invalidateTags([{ type: 'Events', id: 'LIST' }]));
  useRealtimeEvent('eventStateChanged', refresh);
  useRealtimeEvent('eventConcluded', refresh);
  useRealtimeEvent('authenticated', refresh);
}

/** Keeps one event, its standings and its games fresh while they are on screen. */
export function useEventUpdates(eventId: string): void {
  const dispatch = useDispatch();
  const refresh = (...types: ('Events' | 'SignUps' | 'Standings' | 'Games')[]) =>
    dispatch(api.util.invalidateTags(types.map((type) => ({ type, id: eventId }))));
  const refreshAll = () => refresh('Events', 'SignUps', 'Standings', 'Games');
  const refreshStandings = useThrottledCallback(() => refresh('Standings', 'Games'), REFRESH_MS);

  useRealtimeEvent('eventStateChanged', (change) => {
    if (change.eventId === eventId) refreshAll();
  });
  useRealtimeEvent('eventConcluded', (change) => {
    if (change.eventId === eventId) refreshAll();
  });
  useRealtimeEvent('eventAnnouncement', (announcement) => {
    if (announcement.eventId === eventId) refresh('Events');
  });
  useRealtimeEvent('refreshLeaderboard', (change) => {
    if (change.eventId === eventId) refreshStandings();
  });
  // What happened while the connection was down was not told.
  useRealtimeEvent('authenticated', refreshAll);
}
