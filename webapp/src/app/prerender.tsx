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

/** Renders a public page as HTML before the login check. Runs in Node during the build. */
export function renderPage(path: string): Promise<string> {
  return render(routes, path);
}

/** Renders the part of Home that is the same for every user; the app replaces it. */
export async function renderHome(): Promise<string> {
  const routesHome = [{ element: <AppLayout />, children: [{ path: '/app/home', element: <HomePage /> }] }];
  const html = await render(routesHome, '/app/home');
  // The component library's colours come with the app.
  return `<div inert>${html.replaceAll(/<style data-mantine-styles[^>]*>[^<]*<\/style>/g, '')}</div>`;
}

/** The paths of all pages, as the routes have them: the server answers 404 at all others. */
export function pagePaths(those: readonly RouteObject[] = routes): string[] {
  return those.flatMap(({ path, children }) => [
    ...(path === undefined || path === '*' ? [] : [path]),
    ...pagePaths(children ?? []),
  ]);
}

async function render(those: RouteObject[], path: string): Promise<string> {
  const router = createMemoryRouter(those, { initialEntries: [path] });
  await routerReady(router);
  const app = <App store={createStore()} connection={new RealtimeConnection({ url: () => '' })} router={router} />;
  // Rendered as one string: a stream would need inline scripts to insert its parts.
  const { prelude } = await prerender(app, { progressiveChunkSize: Infinity });
  return new Response(prelude).text();
}

/** The splash of all other screens until the app has loaded; on games it has the app's first text. */
export function renderSplash(): { screen: string; game: string } {
  return {
    screen: renderToStaticMarkup(<Splash />),
    game: renderToStaticMarkup(<Splash>{CONNECTING_TEXT}</Splash>),
  };
}
