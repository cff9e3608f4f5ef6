/** Webhooks out, and what became of their deliveries. The mock sends nothing: receivers take what they are told at once. */

import type { Webhook, WebhookDelivery, WebhookKind } from '@/api/admin';
import type { ActionRoutes } from './http';
import type { MockServer } from './mockServer';
import { addressError } from './notifications';
import { paged } from './paging';
import { adminsOnly, checkFields, conflict, notFound } from './refusal';
import { requireProof } from './secondFactor';

const MOST = 20;
const KINDS: readonly WebhookKind[] = [
  'event.published',
  'event.started',
  'event.concluded',
  'report.opened',
  'backup.failed',
];

interface MockWebhook {
  webhook: Webhook;
  /** The newest first. */
  deliveries: WebhookDelivery[];
}

/** What the mock server stores about webhooks. */
export class Webhooks {
  /** The newest first. */
  all: MockWebhook[] = [];

  find(webhookId: string): MockWebhook {
    const found = this.all.find(({ webhook }) => webhook.webhookId === webhookId);
    if (found === undefined) throw notFound('Webhook');
    return found;
  }
}

function admin(mock: MockServer): MockServer {
  if (!mock.user.isAdmin) throw adminsOnly();
  return mock;
}

function taken(kind: string): WebhookDelivery {
  const now = new Date().toISOString();
  return {
    messageId: crypto.randomUUID(),
    kind,
    happenedAt: now,
    state: 'delivered',
    attempts: 1,
    lastAt: now,
    status: 204,
    payload: JSON.stringify({ type: kind, timestamp: now, data: {} }),
  };
}

const name = ({ webhook: { url } }: MockWebhook) => ({ name: new URL(url).hostname });

type Action =
  'list_webhooks' | 'list_deliveries' | 'create_webhook' | 'delete_webhook' | 'resend_delivery' | 'test_webhook';

export const webhooks: Pick<ActionRoutes<'admin'>, Action> = {
  list_webhooks: (mock) => ({
    webhooks: admin(mock).webhooks.all.map(({ webhook }) => webhook),
    most: MOST,
    isSending: true,
  }),
  list_deliveries: (mock, { webhookId, ...page }) => {
    const { items, pagination } = paged(admin(mock).webhooks.find(webhookId).deliveries, page);
    return { deliveries: items, pagination };
  },
  create_webhook: (mock, { url, kinds }) => {
    const { webhooks } = admin(mock);
    requireProof(mock);
    checkFields({
      url: addressError(url.trim()),
      kinds: kinds.length === 0 ? 'Please choose at least one.' : null,
    });
    if (webhooks.all.length >= MOST) {
      throw conflict('too-many-webhooks', `There are ${MOST} webhooks, which is the maximum. Delete one first.`);
    }
    const webhook: Webhook = {
      webhookId: crypto.randomUUID(),
      url: new URL(url.trim()).href,
      kinds: KINDS.filter((kind) => kinds.includes(kind)),
      createdAt: new Date().toISOString(),
      waiting: 0,
    };
    const made = { webhook, deliveries: [] };
    webhooks.all.unshift(made);
    mock.audit('create_webhook', webhook.webhookId, { ...name(made), kinds: webhook.kinds });
    return { secret: `whsec_${btoa(crypto.randomUUID().replaceAll('-', ''))}`, webhook };
  },
  delete_webhook: (mock, { webhookId }) => {
    const { webhooks } = admin(mock);
    const found = webhooks.find(webhookId);
    webhooks.all = webhooks.all.filter((each) => each !== found);
    mock.audit('delete_webhook', webhookId, name(found));
    return {};
  },
  resend_delivery: (mock, { webhookId, messageId }) => {
    const found = admin(mock).webhooks.find(webhookId);
    const delivery = found.deliveries.find((each) => each.messageId === messageId);
    if (delivery === undefined) throw notFound('Delivery');
    Object.assign(delivery, { ...taken(delivery.kind), messageId, payload: delivery.payload });
    mock.audit('resend_delivery', webhookId, { ...name(found), messageId });
    return { delivery: { ...delivery, state: 'waiting' as const, attempts: 0, nextAt: new Date().toISOString() } };
  },
  test_webhook: (mock, { webhookId }) => {
    const found = admin(mock).webhooks.find(webhookId);
    if (found.webhook.disabledReason !== undefined) {
      throw conflict('webhook-disabled', 'This webhook is disabled. Make another one.');
    }
    const delivery = taken('webhook.test');
    found.deliveries.unshift(delivery);
    found.webhook.deliveredAt = delivery.happenedAt;
    mock.audit('test_webhook', webhookId, name(found));
    return {};
  },
};
