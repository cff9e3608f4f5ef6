import { useCallback } from 'react';
import { useRealtime } from '@/realtime/RealtimeContext';
import { selectUser } from './sessionSlice';
import { useAppSelector } from '@/shared/storeHooks';

/**
 * For calls that give this browser another session: the channel of the old one is closed before, so that the news of
 * its end does not load the page anew, and opened again after.
 */
export function useRealtimePaused(): <T>(call: () => Promise<T>) => Promise<T> {
  const connection = useRealtime();
  const userId = useAppSelector(selectUser)?.userId;
  return useCallback(
    async (call) => {
      connection.close();
      try {
        return await call();
      } finally {
        if (userId !== undefined) connection.connect(userId);
      }
    },
    [connection, userId],
  );
}
