import { useEffect, useState, useSyncExternalStore } from 'react';
import type { ApiError } from '@/api/base';
import { useRealtime, useRealtimeEvent } from '@/realtime/RealtimeContext';
import { selectConnectionStatus } from '@/realtime/realtimeSlice';
import { useAppSelector } from '@/shared/storeHooks';
import type { Read } from '../ui/Loaded';
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

/** How long the list may take to come, in milliseconds. */
export const LIVE_WAIT_MS = 5_000;

const NOT_REACHED: ApiError = { status: 0 };

/** The same as a read: it fails while the server cannot be reached, and another try connects at once. */
export function useLiveNowRead(limit: LiveLimit): Read<LiveList> {
  const connection = useRealtime();
  const isConnected = useAppSelector(selectConnectionStatus) === 'connected';
  const list = useLiveNow(limit);
  const isMissing = !isConnected || list === null;
  const [isLate, setLate] = useState(false);
  const [known, setKnown] = useState<number>();
  useEffect(() => {
    if (!isMissing) return () => setKnown(Date.now());
    const timer = setTimeout(() => setLate(true), LIVE_WAIT_MS);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [isMissing]);
  return {
    data: list ?? undefined,
    currentData: list ?? undefined,
    error: isLate ? NOT_REACHED : undefined,
    isFetching: false,
    fulfilledTimeStamp: known,
    refetch: () => connection.retry(),
  };
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
