import '@fontsource-variable/bricolage-grotesque/wght.css';
import '@fontsource-variable/figtree/wght.css';
import '@/shared/theme/layers.css';
import '@/shared/theme/tokens.css';
import '@/shared/theme/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Provider } from 'react-redux';
import { createBrowserRouter, RouterProvider } from 'react-router';
import { NewVersion } from '@/offline/NewVersion';
import { RealtimeConnection, realtimeUrl } from '@/realtime/connection';
import { RealtimeContext } from '@/realtime/RealtimeContext';
import { routes } from './app/routes';
import { SessionKeeper } from './app/SessionKeeper';
import { createStore } from './app/store';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');

// Known at build time: nothing of the mocks is in what is served.
if (import.meta.env.MODE === 'mock') await (await import('@/testing/mocks/browser')).startMocks();

createRoot(root).render(
  <StrictMode>
    <Provider store={createStore()}>
      <RealtimeContext value={new RealtimeConnection({ url: realtimeUrl })}>
        <SessionKeeper />
        <RouterProvider router={createBrowserRouter(routes)} />
        <NewVersion />
      </RealtimeContext>
    </Provider>
  </StrictMode>,
);
