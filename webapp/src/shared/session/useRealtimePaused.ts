import { useCallback } from 'react';
import { useRealtime } from '@/realtime/RealtimeContext';
import { selectUser } from './sessionSlice';
import { useAppSelector } from '@/shared/storeHooks';

/**
 * For calls that give this browser another session: closes the realtime connection of the old one first, so that the
 * end of that session does not reload the page, and opens it again afterwards.
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
