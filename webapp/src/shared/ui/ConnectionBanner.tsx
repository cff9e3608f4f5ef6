import { useSelector } from 'react-redux';
import { selectConnectionStatus } from '@/realtime/realtimeSlice';
import classes from './ConnectionBanner.module.css';

export const CONNECTING_TEXT = 'Connecting to Game Server...';

/** Says that the realtime channel is down; appears only when that lasts, and moves nothing on the page. */
export function ConnectionBanner() {
  const status = useSelector(selectConnectionStatus);
  const isDown = status === 'connecting' || status === 'reconnecting';
  return (
    <div role="status" className={classes.place}>
      {isDown && <p className={classes.banner}>{CONNECTING_TEXT}</p>}
    </div>
  );
}
