import { useCallback } from 'react';
import { useSelector } from 'react-redux';
import { useRealtime } from '@/realtime/RealtimeContext';
import { selectUser } from './sessionSlice';

/**
 * For calls that give this browser another session: the channel of the old one is closed before, so that the news of
 * its end does not load the page anew, and opened again after.
 */
export function useChannelPaused(): <T>(call: () => Promise<T>) => Promise<T> {
  const connection = useRealtime();
  const userId = useSelector(selectUser)?.userId;
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
