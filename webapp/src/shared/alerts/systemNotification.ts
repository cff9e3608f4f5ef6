/** Notifications of the operating system. Everything here does nothing where the browser has none. */

import { log } from '../log';

/** The browser's permission; `unsupported` where it has no notifications. */
export type SystemPermission = NotificationPermission | 'unsupported';

export interface SystemNotification {
  /** A later one with the same id replaces it. */
  id: string;
  title: string;
  body: string;
  /** The path that a press opens. */
  to: string;
}

const ICON = '/icons/icon-192.png';

const shown = new Map<string, Notification>();

export function systemPermission(): SystemPermission {
  return typeof Notification === 'undefined' ? 'unsupported' : Notification.permission;
}

/** Asks for the permission. Browsers allow that only while a press is handled. */
export async function askSystemPermission(): Promise<SystemPermission> {
  if (typeof Notification === 'undefined') return 'unsupported';
  return Notification.requestPermission().catch(() => Notification.permission);
}

/** Shows it if that is permitted; `onOpen` is called with its path when it is pressed. */
export function showSystemNotification(
  { id, title, body, to }: SystemNotification,
  onOpen: (to: string) => void,
): void {
  if (systemPermission() !== 'granted') return;
  const options = { body, tag: id, icon: ICON };
  try {
    const notification = new Notification(title, options);
    notification.onclick = () => {
      window.focus();
      notification.close();
      onOpen(to);
    };
    notification.onclose = () => {
      if (shown.get(id) === notification) shown.delete(id);
    };
    shown.set(id, notification);
  } catch {
    // Phones show them through the service worker only, which opens the path itself.
    registration()
      .then((worker) => worker?.showNotification(title, { ...options, data: { to } }))
      .catch((error: unknown) => log.note('No notification', error));
  }
}

export function closeSystemNotification(id: string): void {
  const own = shown.get(id);
  if (own !== undefined) {
    shown.delete(id);
    own.close();
  } else if (systemPermission() === 'granted') {
    registration()
      .then(async (worker) => {
        for (const notification of (await worker?.getNotifications({ tag: id })) ?? []) notification.close();
      })
      .catch((error: unknown) => log.note('A notification stays', error));
  }
}

/** Undefined without a service worker; never waits for one. */
async function registration(): Promise<ServiceWorkerRegistration | undefined> {
  return 'serviceWorker' in navigator ? navigator.serviceWorker.getRegistration() : undefined;
}
