import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Provider } from 'react-redux';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { onTestFinished, vi } from 'vitest';
import { routes } from '@/app/routes';
import { SessionManager } from '@/app/SessionManager';
import { createStore } from '@/app/store';
import { RealtimeConnection } from '@/realtime/connection';
import { RealtimeContext } from '@/realtime/RealtimeContext';
import { FakeSocket } from './FakeSocket';

/** Renders the whole app at a path, with a websocket that the test controls. */
export function renderApp(path: string) {
  FakeSocket.all = [];
  const connection = new RealtimeConnection({
    url: () => 'ws://test/api/backend/realtime',
    createSocket: (url) => new FakeSocket(url) as unknown as WebSocket,
  });
  // Its attempts to connect would go on in the following tests.
  onTestFinished(() => connection.close());
  const router = createMemoryRouter(routes, { initialEntries: [path] });
  const store = createStore();
  const reload = vi.fn();
  const view = render(
    <Provider store={store}>
      <RealtimeContext value={connection}>
        <SessionManager reload={reload} />
        <RouterProvider router={router} />
      </RealtimeContext>
    </Provider>,
  );
  return {
    ...view,
    router,
    store,
    reload,
    user: userEvent.setup({ delay: null }),
    at: () => router.state.location.pathname,
  };
}
