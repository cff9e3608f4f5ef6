import { renderToStaticMarkup } from 'react-dom/server';
import { prerender } from 'react-dom/static';
import { createMemoryRouter, type RouteObject } from 'react-router';
import HomePage from '@/features/home/HomePage';
import { RealtimeConnection } from '@/realtime/connection';
import { CONNECTING_TEXT } from '@/shared/ui/ConnectionBanner';
import { Splash } from '@/shared/ui/Splash';
import { App } from './App';
import { routerReady } from './routerReady';
import AppLayout from './layouts/AppLayout';
import { routes } from './routes';
import { createStore } from './store';

/** A public page as HTML, as a visitor of whom nothing is known yet sees it. Runs in Node, while building. */
export function renderPage(path: string): Promise<string> {
  return render(routes, path);
}

/** What of the first screen of the signed-in is the same for everybody, as a picture: the app puts its own in its place. */
export async function renderHome(): Promise<string> {
  const routesHome = [{ element: <AppLayout />, children: [{ path: '/app/home', element: <HomePage /> }] }];
  const html = await render(routesHome, '/app/home');
  // The component library's colours are the app's, which brings them along.
  return `<div inert>${html.replaceAll(/<style data-mantine-styles[^>]*>[^<]*<\/style>/g, '')}</div>`;
}

async function render(those: RouteObject[], path: string): Promise<string> {
  const router = createMemoryRouter(those, { initialEntries: [path] });
  await routerReady(router);
  const app = <App store={createStore()} connection={new RealtimeConnection({ url: () => '' })} router={router} />;
  // In one piece: the parts of a stream would be put in their places by inline scripts.
  const { prelude } = await prerender(app, { progressiveChunkSize: Infinity });
  return new Response(prelude).text();
}

/** What stands on all other screens until the app has come: on those of games the word that the app begins with there. */
export function renderSplash(): { screen: string; game: string } {
  return {
    screen: renderToStaticMarkup(<Splash />),
    game: renderToStaticMarkup(<Splash>{CONNECTING_TEXT}</Splash>),
  };
}
