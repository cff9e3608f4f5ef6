import { useSelector } from 'react-redux';
import { Outlet } from 'react-router';
import { selectIsFirstConnection } from '@/realtime/realtimeSlice';
import { CONNECTING_TEXT, ConnectionBanner } from '@/shared/ui/ConnectionBanner';
import { Splash } from '@/shared/ui/Splash';
import { UiProvider } from './UiProvider';

/** Around live games: no navigation, the board has the screen. */
export default function GameLayout() {
  const isFirstConnection = useSelector(selectIsFirstConnection);
  return (
    <UiProvider>
      {isFirstConnection ? (
        <Splash>{CONNECTING_TEXT}</Splash>
      ) : (
        <>
          <ConnectionBanner />
          <Outlet />
        </>
      )}
    </UiProvider>
  );
}
