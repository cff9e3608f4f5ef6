/** The browser's side of Web Push: docs/behaviour/notifications.md. */

import type { components } from '@/api/schema';
import { ASKS_FOR_PUSH } from './workerMessages';

/** What the server needs to push to this browser. */
export type PushTarget = components['schemas']['SubscribePush'];

/** Why this browser shows no pushes. */
export type PushObstacle =
  /** It has no Web Push, or runs without a service worker, as on plain HTTP. */
  | 'unsupported'
  /** It has it for apps on the home screen only. */
  | 'install'
  /** It was told not to. */
  | 'denied'
  /** The question was closed without an answer. */
  | 'dismissed'
  /** Its service worker is of an earlier version. */
  | 'outdated'
  /** Its push service could not be reached. */
  | 'failed';

export type PushAnswer = { target: PushTarget } | { obstacle: PushObstacle };

/** How long a worker of this version may take to say so, in milliseconds. */
const ANSWER_MS = 1_500;

/** How long the first registration of the worker may take: it caches the app. */
const READY_MS = 20_000;

/** Whether this browser could show pushes. */
export function pushSupport(): 'supported' | 'unsupported' | 'install' {
  const isAppleTouch =
    /iPhone|iPad/.test(navigator.userAgent) || (/Mac/.test(navigator.userAgent) && 'ontouchend' in document);
  if (!('serviceWorker' in navigator)) return 'unsupported';
  if ('PushManager' in window && 'Notification' in window) return 'supported';
  return isAppleTouch ? 'install' : 'unsupported';
}

/** The browser's subscription, if there is one for this key of the server. */
export async function currentTarget(serverKey: string): Promise<PushTarget | null> {
  if (pushSupport() !== 'supported') return null;
  const registration = await navigator.serviceWorker.getRegistration();
  const subscription = (await registration?.pushManager.getSubscription()) ?? null;
  return subscription !== null && isFor(subscription, serverKey) ? targetOf(subscription) : null;
}

/** Subscribes this browser. It asks for the permission, which browsers allow only while a press is handled. */
export async function subscribeHere(serverKey: string): Promise<PushAnswer> {
  const support = pushSupport();
  if (support !== 'supported') return { obstacle: support };
  const permission = await Notification.requestPermission().catch(() => Notification.permission);
  if (permission !== 'granted') return { obstacle: permission === 'denied' ? 'denied' : 'dismissed' };
  try {
    return await subscribe(serverKey);
  } catch (error) {
    // Also where the browser, or whoever manages it, forbids push services.
    return { obstacle: error instanceof DOMException && error.name === 'NotAllowedError' ? 'denied' : 'failed' };
  }
}

async function subscribe(serverKey: string): Promise<PushAnswer> {
  const registration = await within(READY_MS, navigator.serviceWorker.ready);
  if (registration === null) return { obstacle: 'unsupported' };
  if (!(await showsPush(registration))) return { obstacle: 'outdated' };
  const known = await registration.pushManager.getSubscription();
  if (known !== null && !isFor(known, serverKey)) await known.unsubscribe();
  const options = { userVisibleOnly: true, applicationServerKey: bytesOf(serverKey) };
  const target = targetOf(await registration.pushManager.subscribe(options));
  return target === null ? { obstacle: 'failed' } : { target };
}

/** Ends the browser's subscription; returns its endpoint, if there was one. */
export async function unsubscribeHere(): Promise<string | null> {
  if (pushSupport() !== 'supported') return null;
  const registration = await navigator.serviceWorker.getRegistration();
  const subscription = (await registration?.pushManager.getSubscription()) ?? null;
  await subscription?.unsubscribe().catch(() => false);
  return subscription?.endpoint ?? null;
}

/** Whether the active worker is of a version that shows pushes. */
async function showsPush({ active }: ServiceWorkerRegistration): Promise<boolean> {
  const { port1, port2 } = new MessageChannel();
  const answer = new Promise<boolean>((resolve) => {
    port1.onmessage = () => resolve(true);
  });
  active?.postMessage({ type: ASKS_FOR_PUSH }, [port2]);
  const said = await within(ANSWER_MS, answer);
  port1.close();
  return said ?? false;
}

async function within<T>(milliseconds: number, promise: Promise<T>): Promise<T | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), milliseconds);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

function targetOf(subscription: PushSubscription): PushTarget | null {
  const { endpoint, keys } = subscription.toJSON();
  const { p256dh, auth } = keys ?? {};
  if (endpoint === undefined || p256dh === undefined || auth === undefined) return null;
  return { endpoint, p256dh, auth };
}

/** A server that lost its key has another one, for which the old subscription is worth nothing. */
function isFor({ options }: PushSubscription, serverKey: string): boolean {
  const known = options.applicationServerKey;
  return known === null || textOf(new Uint8Array(known)) === serverKey;
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(text, (char) => char.charCodeAt(0));
}

function textOf(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
