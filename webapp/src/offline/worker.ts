/// <reference lib="webworker" />
import { cleanupOutdatedCaches, createHandlerBoundToURL, precacheAndRoute } from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';

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
