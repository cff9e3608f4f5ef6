import { useEffect, useState } from 'react';
import { Link, Outlet } from 'react-router';
import { DeclineNotices } from '@/features/invitations/DeclineNotices';
import { EventNotices } from '@/features/eventNotices/EventNotices';
import { useRealtime } from '@/realtime/RealtimeContext';
import { selectIsFirstConnection } from '@/realtime/realtimeSlice';
import buttons from '@/shared/ui/buttons.module.css';
import { CONNECTING_TEXT, ConnectionBanner } from '@/shared/ui/ConnectionBanner';
import { useVisit } from '@/shared/session/useVisit';
import { Splash } from '@/shared/ui/Splash';
import { UiProvider } from './UiProvider';
import { useAppSelector } from '@/shared/storeHooks';

/** After this time the waiting screen offers a button. */
export const PATIENCE_MS = 4_000;

/** The layout of live games: no navigation, the board takes the screen. */
export default function GameLayout() {
  useVisit();
  const isFirstConnection = useAppSelector(selectIsFirstConnection);
  return (
    <UiProvider>
      <EventNotices />
      {isFirstConnection ? (
        <Connecting />
      ) : (
        <>
          <ConnectionBanner />
          <DeclineNotices />
          <Outlet />
        </>
      )}
    </UiProvider>
  );
}

function Connecting() {
  const connection = useRealtime();
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  const actions = (
    <>
      <button type="button" className={buttons.primary} onClick={() => connection.retry()}>
        Try now
      </button>
      <Link to="/app/home" className={buttons.button}>
        Back to Home
      </Link>
    </>
  );
  return <Splash actions={isSlow ? actions : undefined}>{CONNECTING_TEXT}</Splash>;
}
