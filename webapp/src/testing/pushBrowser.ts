import { act } from '@testing-library/react';
import { onTestFinished, vi } from 'vitest';
import { ASKS_FOR_PUSH, SUBSCRIPTION_CHANGED } from '@/shared/push/workerMessages';
import { MOCK_PUSH_KEY } from './mocks/notifications';

export interface PushBrowserOptions {
  permission?: NotificationPermission;
  /** What the browser's user answers. */
  answer?: NotificationPermission;
  isOldWorker?: boolean;
  fails?: string;
}

/** A browser with Web Push, as far as it is used; removed after the test. */
export function browserWithPush({
  permission = 'default',
  answer = 'granted',
  isOldWorker = false,
  fails,
}: PushBrowserOptions = {}) {
  const own = { permission, requestPermission: vi.fn(() => Promise.resolve((own.permission = answer))) };
  vi.stubGlobal('Notification', own);
  vi.stubGlobal('PushManager', vi.fn());
  let endpoint = 'https://push.example.org/this-browser';
  let current: { endpoint: string; options: object; toJSON: () => object; unsubscribe: () => Promise<boolean> } | null =
    null;
  const subscribe = vi.fn((options: object) => {
    if (fails !== undefined) return Promise.reject(new DOMException('No.', fails));
    const keys = { p256dh: MOCK_PUSH_KEY, auth: 'BTBZMqHH6r4Tts7J_aSIgg' };
    const made = endpoint;
    current = {
      endpoint: made,
      options,
      toJSON: () => ({ endpoint: made, keys }),
      unsubscribe: () => {
        current = null;
        return Promise.resolve(true);
      },
    };
    return Promise.resolve(current);
  });
  const active = {
    postMessage: vi.fn((message: { type: string }, [port]: [MessagePort]) => {
      if (!isOldWorker && message.type === ASKS_FOR_PUSH) port.postMessage(true);
    }),
  };
  const registration = { active, pushManager: { subscribe, getSubscription: () => Promise.resolve(current) } };
  const workers = Object.assign(new EventTarget(), {
    ready: Promise.resolve(registration),
    getRegistration: () => Promise.resolve(registration),
  });
  Object.defineProperty(navigator, 'serviceWorker', { value: workers, configurable: true });
  onTestFinished(() => {
    Reflect.deleteProperty(navigator, 'serviceWorker');
    vi.unstubAllGlobals();
  });
  /** The browser ends its subscription, has another address for the next one, and its worker says so. */
  const changeSubscription = (to: string) => {
    endpoint = to;
    current = null;
    act(() => void workers.dispatchEvent(new MessageEvent('message', { data: { type: SUBSCRIPTION_CHANGED } })));
  };
  return { own, subscribe, changeSubscription, isSubscribed: () => current !== null };
}
