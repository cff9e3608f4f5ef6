import { log } from '@/shared/log';

/** How often an open tab checks for a new version; every navigation checks as well. */
export const CHECK_INTERVAL_MS = 3_600_000;

/**
 * How long after the load, in milliseconds, the app is cached for offline use: that takes a hundred requests, and the
 * page's own come first.
 */
export const KEEP_AFTER_MS = 5_000;

/**
 * Registers the service worker, which caches the app for offline use, and calls back with a function that activates
 * a new version whenever one is ready. Returns a function that stops it.
 */
export function watchForNewVersion(onReady: (take: () => void) => void): () => void {
  // The dev server has no worker, and over plain HTTP browsers allow one on loopback only.
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return () => undefined;
  let timer: ReturnType<typeof setInterval> | undefined;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const start = async () => {
    const { Workbox } = await import('workbox-window');
    if (isOver) return;
    const workbox = new Workbox('/service-worker.js');
    workbox.addEventListener('waiting', () =>
      onReady(() => {
        workbox.addEventListener('controlling', () => window.location.reload());
        workbox.messageSkipWaiting();
      }),
    );
    await workbox.register();
    timer = setInterval(() => void workbox.update().catch(() => undefined), CHECK_INTERVAL_MS);
  };
  const startQuietly = () => void start().catch((error: unknown) => log.warn('No offline mode', error));
  const startLater = () => (waiting = setTimeout(startQuietly, KEEP_AFTER_MS));
  if (document.readyState === 'complete') startLater();
  else window.addEventListener('load', startLater, { once: true });
  return () => {
    isOver = true;
    clearInterval(timer);
    clearTimeout(waiting);
    window.removeEventListener('load', startLater);
  };
}
