import { STORAGE_KEYS } from '@/shared/storage';

// A tab may be older than the server: parts of the app that it loads later are gone then, and answers may have another
// form. Without a service worker (a private window, plain HTTP at home) the browser keeps no copy of them.

/** A tab that was loaded anew is not loaded anew again for this long, in milliseconds: where it did not help it would go on. */
export const RELOAD_PAUSE_MS = 60_000;

/** How long a waiting service worker may take to start, in milliseconds. */
const WORKER_WAIT_MS = 2_000;

export type VersionOfServer = 'newer' | 'same' | 'unreachable';

/**
 * Asks for the script of this tab's document: its name has the hash of its content and of all that it loads, so that another
 * version of the server does not have it.
 */
export async function versionOfServer(): Promise<VersionOfServer> {
  const script = document.querySelector<HTMLScriptElement>('script[type="module"][src]');
  try {
    const { ok, status } = await fetch(script?.src ?? '/', { method: 'HEAD', cache: 'no-store' });
    if (status === 404) return 'newer';
    return ok ? 'same' : 'unreachable';
  } catch {
    return 'unreachable';
  }
}

/** Whether the tab may be loaded anew without a press; counts as done. */
export function mayReload(): boolean {
  try {
    const last = Number(sessionStorage.getItem(STORAGE_KEYS.reloaded));
    const age = Date.now() - last;
    if (age >= 0 && age < RELOAD_PAUSE_MS) return false;
    sessionStorage.setItem(STORAGE_KEYS.reloaded, String(Date.now()));
    return true;
  } catch {
    return false;
  }
}

/** Loads the page anew, with the newer version where a service worker has one that waits. */
export async function reloadPage(): Promise<void> {
  if ('serviceWorker' in navigator) {
    const { serviceWorker } = navigator;
    const waiting = (await serviceWorker.getRegistration().catch(() => undefined))?.waiting;
    if (waiting) {
      const controlled = new Promise((resolve) => serviceWorker.addEventListener('controllerchange', resolve));
      waiting.postMessage({ type: 'SKIP_WAITING' });
      await Promise.race([controlled, new Promise((resolve) => setTimeout(resolve, WORKER_WAIT_MS))]);
    }
  }
  window.location.reload();
}

const failedLoads = new WeakSet();

/** Notes what Vite tells of a script or style sheet that could not be loaded. Browsers have different words for it. */
export function noteFailedLoads(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => failedLoads.add(payload));
}

export function isFailedLoad(error: unknown): boolean {
  return typeof error === 'object' && error !== null && failedLoads.has(error);
}

type Listener = () => void;

const listeners = new Set<Listener>();

/** A part of the page, as a dialog, could not be loaded. */
export function partIsMissing(): void {
  for (const listener of listeners) listener();
}

/** Calls back when a part is missing. Returns a function that stops it. */
export function onMissingPart(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
