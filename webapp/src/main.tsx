import '@fontsource-variable/bricolage-grotesque/wght.css';
import '@fontsource-variable/figtree/wght.css';
import '@/shared/theme/layers.css';
import '@/shared/theme/tokens.css';
import '@/shared/theme/base.css';
import { startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { createBrowserRouter } from 'react-router';
import { RealtimeConnection, realtimeUrl } from '@/realtime/connection';
import { App } from './app/App';
import { checkLogin } from './app/checkLogin';
import { routerReady } from './app/routerReady';
import { routes } from './app/routes';
import { createStore } from './app/store';
import { noteFailedLoads } from './shared/newerVersion';
import { Reporter } from './shared/reporter';

new Reporter().listen();
noteFailedLoads();

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');

// Known at build time, so that the build contains no mocks.
if (import.meta.env.MODE === 'mock') await (await import('@/testing/mocks/browser')).startMocks();

// Yields after loading the scripts, which already takes long on a phone.
await new Promise((resolve) => setTimeout(resolve));

const router = createBrowserRouter(routes);
const store = createStore();
// Rendered as a transition, in slices, so that a slow phone stays responsive.
const app = <App store={store} connection={new RealtimeConnection({ url: realtimeUrl })} router={router} />;
// The routes do not tell an address with a last slash from one without.
const path = window.location.pathname.replace(/(?<=.)\/$/, '');
if (root.dataset.standing === path) {
  // The document of a public page already has its content; what a query changes comes after it was taken over (useHydrated).
  await routerReady(router);
  // A page whose script is gone is another than the document's.
  const isAsStanding = router.state.errors === null;
  startTransition(() => void (isAsStanding ? hydrateRoot(root, app) : createRoot(root).render(app)));
} else {
  // The document's content stays until the page can replace it in one step.
  if (root.hasChildNodes()) await Promise.all([routerReady(router), store.dispatch(checkLogin())]);
  startTransition(() => createRoot(root).render(app));
}
