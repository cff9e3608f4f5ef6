import { renderToStaticMarkup } from 'react-dom/server';
import { prerender } from 'react-dom/static';
import { createMemoryRouter } from 'react-router';
import { RealtimeConnection } from '@/realtime/connection';
import { Splash } from '@/shared/ui/Splash';
import { App } from './App';
import { hasFoundItsPage } from './initialized';
import { routes } from './routes';
import { createStore } from './store';

/** A public page as HTML, as a visitor of whom nothing is known yet sees it. Runs in Node, while building. */
export async function renderPage(path: string): Promise<string> {
  const router = createMemoryRouter(routes, { initialEntries: [path] });
  await hasFoundItsPage(router);
  const app = <App store={createStore()} connection={new RealtimeConnection({ url: () => '' })} router={router} />;
  // In one piece: the parts of a stream would be put in their places by inline scripts.
  const { prelude } = await prerender(app, { progressiveChunkSize: Infinity });
  return new Response(prelude).text();
}

/** What stands on all other screens until the app has come. */
export function renderSplash(): string {
  return renderToStaticMarkup(<Splash />);
}
