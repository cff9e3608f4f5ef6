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
import { Reporter } from './shared/reporter';

new Reporter().listen();

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');

// Known at build time: nothing of the mocks is in what is served.
if (import.meta.env.MODE === 'mock') await (await import('@/testing/mocks/browser')).startMocks();

// Taking all the scripts in was long enough at a stretch for a phone.
await new Promise((resolve) => setTimeout(resolve));

const router = createBrowserRouter(routes);
const store = createStore();
// Rendered in slices, as a transition is: a phone takes its time for a whole page, and stays awake meanwhile.
const app = <App store={store} connection={new RealtimeConnection({ url: realtimeUrl })} router={router} />;
if (root.hasAttribute('data-standing')) {
  // A public page's document has its content already.
  await routerReady(router);
  startTransition(() => void hydrateRoot(root, app));
} else {
  // What a document shows in the meantime stays until its page can take the place in one go.
  if (root.hasChildNodes()) await Promise.all([routerReady(router), store.dispatch(checkLogin())]);
  startTransition(() => createRoot(root).render(app));
}
