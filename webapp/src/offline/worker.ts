/// <reference lib="webworker" />
import { cleanupOutdatedCaches, createHandlerBoundToURL, precacheAndRoute } from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { isAppPath, type OpenedMessage } from '../shared/alerts/openedPath';
import { ASKS_FOR_PUSH, messageType, SUBSCRIPTION_CHANGED } from '../shared/push/workerMessages';
import { pushMessage } from './pushMessage';

declare const self: ServiceWorkerGlobalScope;
/** The files of this version, listed by the build (scripts/offline.ts). */
declare const __FILES__: { url: string; revision: string | null }[];

/** Requests that are not navigations to pages. */
const NOT_PAGES = [
  /^\/api(\/|$)/,
  /^\/\.well-known\//,
  /^\/(?!app\/)(.*\/)?[^/?]+\.[^/?]+$/,
  /^\/(healthz|readyz|oembed)$/,
  /^\/embed\//,
];

precacheAndRoute(__FILES__);
cleanupOutdatedCaches();
registerRoute(new NavigationRoute(createHandlerBoundToURL('/index.html'), { denylist: NOT_PAGES }));

self.addEventListener('message', ({ data, ports }: ExtendableMessageEvent) => {
  const type = messageType(data);
  // A new version waits until the user has agreed.
  if (type === 'SKIP_WAITING') void self.skipWaiting();
  // Workers of earlier versions show no pushes, and do not answer.
  if (type === ASKS_FOR_PUSH) ports[0]?.postMessage(true);
});

/** A push is shown, whether or not a page is open; anything that is none of the server's is not. */
self.addEventListener('push', (event) => {
  const message = pushMessage(event.data?.text() ?? '');
  if (message === null) return;
  const { title, body, tag, to } = message;
  // `renotify` sounds again for what replaces an earlier one; the list of types does not have it.
  const options: NotificationOptions & { renotify: boolean } = {
    body,
    tag,
    icon: '/icons/icon-192.png',
    data: { to },
    renotify: true,
  };
  event.waitUntil(self.registration.showNotification(title, options));
});

/** The browser replaced or ended the subscription: an open page sees to it, otherwise the next one that is opened. */
self.addEventListener('pushsubscriptionchange', (event) => {
  (event as ExtendableEvent).waitUntil(
    self.clients.matchAll({ type: 'window', includeUncontrolled: true }).then((tabs) => {
      for (const tab of tabs) tab.postMessage({ type: SUBSCRIPTION_CHANGED });
    }),
  );
});

/** A pressed notification opens its page: in a tab that is open, which then goes there itself, or in a new one. */
self.addEventListener('notificationclick', (event) => {
  const { to } = (event.notification.data ?? {}) as { to?: unknown };
  event.notification.close();
  if (isAppPath(to)) event.waitUntil(openPath(to));
});

async function openPath(to: string): Promise<void> {
  // The page that was looked at last comes first.
  const [tab] = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  if (tab === undefined) {
    await self.clients.openWindow(to);
    return;
  }
  await tab.focus();
  const message: OpenedMessage = { type: 'OPENED', to };
  tab.postMessage(message);
}
