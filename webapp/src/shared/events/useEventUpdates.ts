import { useThrottledCallback } from '@mantine/hooks';
import { api } from '@/api/base';
import { useRealtimeEvent } from '@/realtime/RealtimeContext';
import { useAppDispatch } from '../storeHooks';

/** Standings of a busy event change many times a second; more updates than this cannot be read, in milliseconds. */
export const REFRESH_MS = 1_000;

type EventTag = 'Events' | 'SignUps' | 'Standings' | 'Rounds' | 'Games';

/** Keeps the lists of events up to date; what changed while the connection was down is loaded again. */
export function useEventListUpdates(): void {
  const dispatch = useAppDispatch();
  const refresh = () => dispatch(api.util.invalidateTags([{ type: 'Events', id: 'LIST' }]));
  useRealtimeEvent('eventStateChanged', refresh);
  useRealtimeEvent('eventConcluded', refresh);
  useRealtimeEvent('eventNews', refresh);
  useRealtimeEvent('authenticated', refresh);
}

/** Returns a function that loads the given parts of an event again. */
export function useRefreshEvent(eventId: string): (...tags: EventTag[]) => void {
  const dispatch = useAppDispatch();
  return (...tags) => dispatch(api.util.invalidateTags(tags.map((type) => ({ type, id: eventId }))));
}

/** Keeps one event up to date while it is on screen. `onResult` refreshes what depends on results, as often as it suits. */
export function useEventChanges(eventId: string, onResult: () => void): void {
  const refresh = useRefreshEvent(eventId);
  const refreshAll = () => refresh('Events', 'SignUps', 'Standings', 'Rounds', 'Games');
  useRealtimeEvent('eventStateChanged', (change) => {
    if (change.eventId === eventId) refreshAll();
  });
  useRealtimeEvent('eventConcluded', (change) => {
    if (change.eventId === eventId) refreshAll();
  });
  // Somebody was added or removed.
  useRealtimeEvent('eventNews', (change) => {
    if (change.eventId === eventId) refreshAll();
  });
  useRealtimeEvent('eventAnnouncement', (announcement) => {
    if (announcement.eventId === eventId) refresh('Events');
  });
  const hearResult = (change: { eventId: string }) => {
    if (change.eventId === eventId) onResult();
  };
  useRealtimeEvent('refreshLeaderboard', hearResult);
  useRealtimeEvent('roundPaired', hearResult);
  useRealtimeEvent('roundEnded', hearResult);
  useRealtimeEvent('standingsChanged', hearResult);
  // Events that happened while the connection was down were missed.
  useRealtimeEvent('authenticated', refreshAll);
}

/** Keeps one event, its standings and its games up to date while they are on screen. */
export function useEventUpdates(eventId: string): void {
  const refresh = useRefreshEvent(eventId);
  useEventChanges(
    eventId,
    useThrottledCallback(() => refresh('SignUps', 'Standings', 'Rounds', 'Games'), REFRESH_MS),
  );
}
