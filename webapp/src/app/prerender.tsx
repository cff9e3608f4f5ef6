import { createMemoryRouter } from 'react-router';
import { prerender } from 'react-dom/static';
import { RealtimeConnection } from '@/realtime/connection';
import { App } from './App';
import { routes } from './routes';
import { createStore } from './store';

/** The landing page as HTML, as a visitor of whom nothing is known yet sees it. Runs in Node, while building. */
export async function renderLanding(): Promise<string> {
  const app = (
    <App
      store={createStore()}
      connection={new RealtimeConnection({ url: () => '' })}
      router={createMemoryRouter(routes)}
    />
  );
  // In one piece: the parts of a stream would be put in their places by inline scripts.
  const { prelude } = await prerender(app, { progressiveChunkSize: Infinity });
  return new Response(prelude).text();
}
