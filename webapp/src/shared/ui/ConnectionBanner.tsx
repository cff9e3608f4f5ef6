import { useRealtime } from '@/realtime/RealtimeContext';
import { selectConnectionStatus } from '@/realtime/realtimeSlice';
import { selectUser } from '@/shared/session/sessionSlice';
import classes from './ConnectionBanner.module.css';
import { useAppSelector } from '@/shared/storeHooks';

export const CONNECTING_TEXT = 'Connecting to Game Server...';

/** Says that the realtime connection is down, with a button to retry; appears only after a delay and moves nothing. */
export function ConnectionBanner() {
  const status = useAppSelector(selectConnectionStatus);
  const connection = useRealtime();
  // What visitors see works without it.
  const isSignedIn = useAppSelector(selectUser) !== null;
  const isDown = isSignedIn && (status === 'connecting' || status === 'reconnecting');
  return (
    <div role="status" className={classes.place}>
      {isDown && (
        <p className={classes.banner}>
          {CONNECTING_TEXT}
          <button type="button" onClick={() => connection.retry()}>
            Try now
          </button>
        </p>
      )}
    </div>
  );
}
