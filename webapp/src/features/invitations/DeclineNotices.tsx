import { useParams } from 'react-router';
import { useRealtimeEvent } from '@/realtime/RealtimeContext';
import { selectUser } from '@/shared/session/sessionSlice';
import { toast } from '@/shared/ui/toast';
import { useAppSelector } from '@/shared/storeHooks';

/** Tells the inviter that the invitation was declined; the page of that game shows it itself. */
export function DeclineNotices() {
  const userId = useAppSelector(selectUser)?.userId;
  const { gameId: shown } = useParams();
  useRealtimeEvent('gameCancelled', ({ gameId, reason, userId: by, message }) => {
    if (reason === 'declined' && by !== userId && gameId !== shown) toast.info(message);
  });
  return null;
}
