/// <reference lib="webworker" />
import { cleanupOutdatedCaches, createHandlerBoundToURL, precacheAndRoute } from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { isAppPath, type OpenedMessage } from '../shared/alerts/openedPath';

declare const self: ServiceWorkerGlobalScope;
/** The files of this version, listed by the build (scripts/offline.ts). */
declare const __FILES__: { url: string; revision: string | null }[];

/** Requests that are not navigations to pages. */
const NOT_PAGES = [/^\/api(\/|$)/, /^\/\.well-known\//, /\/[^/?]+\.[^/?]+$/, /^\/(healthz|readyz)$/];

precacheAndRoute(__FILES__);
cleanupOutdatedCaches();
registerRoute(new NavigationRoute(createHandlerBoundToURL('/index.html'), { denylist: NOT_PAGES }));

// A new version waits until the user has agreed.
self.addEventListener('message', ({ data }: ExtendableMessageEvent) => {
  if ((data as { type?: string } | null)?.type === 'SKIP_WAITING') void self.skipWaiting();
});

/** A pressed notification opens its page: in a tab that is open, which then goes there itself, or in a new one. */
self.addEventListener('notificationclick', (event) => {
  const { to } = (event.notification.data ?? {}) as { to?: unknown };
  event.notification.close();
  if (isAppPath(to)) event.waitUntil(openPath(to));
});

async function openPath(to: string): Promise<void> {
  const [tab] = await self.clients.matchAll({ type: 'window' });
  if (tab === undefined) {
    await self.clients.openWindow(to);
    return;
  }
  await tab.focus();
  const message: OpenedMessage = { type: 'OPENED', to };
  tab.postMessage(message);
}
