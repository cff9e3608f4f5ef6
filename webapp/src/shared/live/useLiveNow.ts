import { useEffect, useState, useSyncExternalStore } from 'react';
import { useRealtime, useRealtimeEvent } from '@/realtime/RealtimeContext';
import { selectConnectionStatus } from '@/realtime/realtimeSlice';
import { useAppSelector } from '@/shared/storeHooks';
import { afterFrame, type LiveList } from './liveNow';

/** How many games are followed: those of a card, or of a page. */
export type LiveLimit = 2 | 12;

/**
 * The best rated games to watch, with boards that move; null until the server has told. A page that is hidden follows
 * nothing.
 */
export function useLiveNow(limit: LiveLimit, isOn = true): LiveList | null {
  const connection = useRealtime();
  const isConnected = useAppSelector(selectConnectionStatus) === 'connected';
  const isVisible = useSyncExternalStore(onVisibility, isPageVisible, isBuilt);
  const [list, setList] = useState<LiveList | null>(null);
  const isFollowing = isOn && isConnected && isVisible;
  useEffect(() => {
    if (!isFollowing) return undefined;
    connection.send('watchLive', { limit });
    return () => connection.send('unwatchLive', {});
  }, [connection, isFollowing, limit]);
  useRealtimeEvent('liveNow', (frame) => {
    if (isOn) setList((known) => afterFrame(known, frame));
  });
  return list;
}

function onVisibility(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}

/** The build renders Home, too, and follows nothing. */
function isBuilt(): boolean {
  return true;
}

function isPageVisible(): boolean {
  return document.visibilityState !== 'hidden';
}
