/** What reaches people whose page is closed: docs/behaviour/notifications.md. Nothing is pushed. */

import type { components } from '@/api/schema';
import type { ActionRoutes } from './http';
import type { MockServer } from './mockServer';
import { checkFields } from './refusal';

type Schemas = components['schemas'];
/** Without what every answer carries. */
type Answer = Omit<Schemas['NotificationSettingsAnswer'], 'succeeded'>;
type Settings = Pick<Schemas['NotificationSettingsAnswer'], 'push' | 'mail'>;

/** A valid public key. */
export const MOCK_PUSH_KEY = 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4';

const LETTER_MINUTES = 60;
const MAX_BROWSERS = 10;
const MAX_ENDPOINT = 1_024;
/** Characters of 65 and of 16 bytes in base64url. */
const KEY_LENGTH = 87;
const AUTH_LENGTH = 22;

const FIRST: Settings = {
  push: { invitation: true, answer: true, turn: true, paired: true, event: true },
  mail: { event: false, payment: true },
};

type Browser = Schemas['PushSubscription'] & { endpoint: string };

/** Settings and browsers by user. */
export class MockNotifications {
  readonly #settings = new Map<string, Settings>();
  readonly #browsers = new Map<string, Browser[]>();

  of(userId: string): Answer {
    const subscriptions = this.#of(userId).map(({ endpoint: _secret, ...browser }) => browser);
    const settings = this.#settings.get(userId) ?? FIRST;
    return { ...settings, pushKey: MOCK_PUSH_KEY, subscriptions, letterMinutes: LETTER_MINUTES };
  }

  endpoints(userId: string): string[] {
    return this.#of(userId).map(({ endpoint }) => endpoint);
  }

  change(userId: string, { push, mail }: Schemas['UpdateNotificationSettings']): void {
    const before = this.#settings.get(userId) ?? FIRST;
    this.#settings.set(userId, { push: push ?? before.push, mail: mail ?? before.mail });
  }

  /** This browser, in place of an earlier subscription of it; another one if `isCurrent` is false. */
  subscribe(userId: string, endpoint: string, device = 'This browser', isCurrent = true): void {
    for (const [other, browsers] of this.#browsers) {
      this.#browsers.set(
        other,
        browsers.filter((each) => each.endpoint !== endpoint),
      );
    }
    const now = new Date().toISOString();
    const others = this.#of(userId).filter((each) => !(isCurrent && each.isCurrent));
    const browser = {
      subscriptionId: crypto.randomUUID(),
      device,
      isCurrent,
      createdAt: now,
      lastUsedAt: now,
      endpoint,
    };
    this.#browsers.set(userId, [browser, ...others].slice(0, MAX_BROWSERS));
  }

  unsubscribe(userId: string, { subscriptionId, endpoint }: Schemas['UnsubscribePush']): void {
    const isNamed = (each: Browser) => each.subscriptionId === subscriptionId || each.endpoint === endpoint;
    this.#browsers.set(
      userId,
      this.#of(userId).filter((each) => !isNamed(each)),
    );
  }

  #of(userId: string): Browser[] {
    return this.#browsers.get(userId) ?? [];
  }
}

type NotificationAction =
  | 'get_notification_settings'
  | 'update_notification_settings'
  | 'subscribe_push'
  | 'unsubscribe_push'
  | 'show_push_example';

export const notifications: Pick<ActionRoutes<'userprofile'>, NotificationAction> = {
  get_notification_settings: (mock) => own(mock),
  update_notification_settings: (mock, changes) => {
    mock.notifications.change(mock.user.userId, changes);
    return own(mock);
  },
  subscribe_push: (mock, { endpoint, p256dh, auth }) => {
    const { userId } = mock.user;
    const isKey = p256dh.replace(/=+$/, '').length === KEY_LENGTH && auth.replace(/=+$/, '').length === AUTH_LENGTH;
    checkFields({
      endpoint: addressError(endpoint),
      p256dh: isKey ? null : 'These are not the keys of a browser.',
    });
    mock.notifications.subscribe(userId, endpoint);
    return own(mock);
  },
  unsubscribe_push: (mock, named) => {
    const { userId } = mock.user;
    const isNamed = named.subscriptionId !== undefined || named.endpoint !== undefined;
    checkFields({ endpoint: isNamed ? null : 'Name the subscription by its endpoint or its id.' });
    mock.notifications.unsubscribe(userId, named);
    return own(mock);
  },
  show_push_example: (mock) => {
    void mock.user;
    return {};
  },
};

function own(mock: MockServer): Answer {
  return mock.notifications.of(mock.user.userId);
}

/** Why the server sends nothing to an address. */
export function addressError(endpoint: string): string | null {
  if (endpoint.length > MAX_ENDPOINT) return 'The address is too long.';
  const url = URL.canParse(endpoint) ? new URL(endpoint) : null;
  if (url === null || url.hostname === '') return 'It is not an address.';
  if (url.protocol !== 'https:') return 'The address has to begin with https://.';
  if (url.username !== '' || url.password !== '' || url.hash !== '') {
    return 'The address must not have a user name, a password or a part after #.';
  }
  const isPublic = url.port === '' && url.hostname.includes('.') && !/^[\d.]+$/.test(url.hostname);
  return isPublic ? null : 'It is not a public address.';
}
