import { StrictMode } from 'react';
import { Provider } from 'react-redux';
import { type DataRouter, RouterProvider } from 'react-router';
import { NewVersion } from '@/offline/NewVersion';
import type { RealtimeConnection } from '@/realtime/connection';
import { RealtimeContext } from '@/realtime/RealtimeContext';
import { SessionManager } from './SessionManager';
import type { AppStore } from './store';

interface AppProps {
  store: AppStore;
  connection: RealtimeConnection;
  router: DataRouter;
}

/** The whole app, in the browser and when the build prerenders the landing page. */
export function App({ store, connection, router }: AppProps) {
  return (
    <StrictMode>
      <Provider store={store}>
        <RealtimeContext value={connection}>
          <SessionManager />
          <RouterProvider router={router} />
          <NewVersion />
        </RealtimeContext>
      </Provider>
    </StrictMode>
  );
}
