import { log } from '@/shared/log';

/** How often an open tab asks whether there is a new version; every navigation asks as well. */
export const CHECK_INTERVAL_MS = 3_600_000;

/**
 * How long after a page is loaded, in milliseconds, the app is kept for use without a network: that is a hundred
 * requests, and what the page still asks for itself goes first.
 */
export const KEEP_AFTER_MS = 5_000;

/**
 * Registers the service worker, which keeps the app for use without a network, and calls back with a function that
 * takes the new version whenever one is ready. Returns how to stop.
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
