/** The actions of subscriptions, for users and admins, and the stand-in for the payment provider. */

import { http, HttpResponse, type HttpHandler } from 'msw';
import type { components } from '@/api/schema';
import { FREE_EVENTS } from './mockEvents';
import { type Intent, MOCK_KEY, PLANS } from './billing';
import { seat } from './mockGame';
import type { ActionRoutes, Routes } from './http';
import { paged } from './paging';
import { adminsOnly, notYourself, Refusal } from './refusal';
import { wireTime } from './eventDetails';
import type { MockServer } from './mockServer';
import { requireFactor } from './secondFactor';

type Schemas = components['schemas'];

/** The page's origin; tests without a page set it. */
const STAND_IN = `${globalThis.location?.origin ?? 'http://localhost:3000'}/stand-in`;

export const subscriptions: ActionRoutes<'subscription'> = {
  get_subscription: (mock) => told(mock, mock.billing.subscriptionOf(mock.user.userId)),
  get_stripekey: (mock) => mock.user && { PUBLISHABLE_SECRET_KEY: MOCK_KEY, apiBase: STAND_IN },
  get_plans: () => ({
    plans: [...PLANS],
    configured: true,
    fromPrice: { price: 399, currency: 'usd', months: 1 },
    benefits: ['Unlimited tournament access per month', 'Cancel anytime'],
    freeEventsPerMonth: FREE_EVENTS,
  }),
  list_invoices: (mock, page) => {
    const { items, pagination } = paged(mock.billing.invoicesOf(mock.user.userId), page, 20);
    return { invoices: items, pagination };
  },
  subscribe: (mock, { user, paymentIntentId, planId }) => {
    const subscription = mock.billing.subscribe(self(mock, user), paymentIntentId, planId);
    return { subscription, paymentStatus: subscription.isProcessing ? 'processing' : 'succeeded' };
  },
  create_subscription_iten: (mock, { user, planId }) => {
    const userId = self(mock, user);
    mock.billing.checkEmail(mock.member);
    return { clientSecret: mock.billing.begin(userId, planId) };
  },
  cancel_subscription: (mock) => {
    mock.billing.cancel(mock.member.userId);
    return {};
  },
  resume_subscription: (mock) => ({ subscription: mock.billing.resume(mock.member.userId) }),
  create_setup_intent: (mock) => {
    mock.billing.checkEmail(mock.member);
    return { clientSecret: mock.billing.beginSetup(mock.member.userId) };
  },
  add_payment_method: (mock, payload) => {
    mock.billing.addCard(mock.member.userId, payload);
    return { paymentMethods: mock.billing.cardsOf(mock.member.userId) };
  },
  set_default_payment_method: (mock, { paymentMethodId }) => {
    mock.billing.chooseCard(mock.member.userId, paymentMethodId);
    return { paymentMethods: mock.billing.cardsOf(mock.member.userId) };
  },
  change_plan: (mock, { planId }) => {
    const { userId } = mock.member;
    const clientSecret = mock.billing.change(userId, planId);
    const subscription = mock.billing.subscriptionOf(userId);
    return clientSecret === undefined
      ? { subscription, paymentStatus: 'succeeded' }
      : { subscription, paymentStatus: 'requiresAction', clientSecret };
  },
  finish_plan_change: (mock, { planId }) => ({
    subscription: mock.billing.finishChange(mock.member.userId, planId),
    paymentStatus: 'succeeded',
  }),
};

/** A subscription, with what is left of the free plan. */
function told(
  mock: MockServer,
  subscription: Schemas['Subscription'],
): Omit<Schemas['SubscriptionAnswer'], 'succeeded'> {
  if (subscription.isSubScribe) return { subscription };
  const now = new Date();
  return {
    subscription,
    freeEventsUsed: Math.min(mock.events.joinedBy(mock.user.userId), FREE_EVENTS),
    freeEventsLimit: FREE_EVENTS,
    freeEventsResetAt: wireTime(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)).toISOString()),
  };
}

type PaymentOperation = 'getUserSubscription' | 'cancelUserSubscription' | 'listPaymentMethods' | 'removePaymentMethod';

export const payments: Pick<Routes, PaymentOperation> = {
  getUserSubscription: ({ mock }) => told(mock, mock.billing.subscriptionOf(mock.user.userId)),
  cancelUserSubscription: ({ mock }) => {
    mock.billing.cancel(mock.member.userId);
    return {};
  },
  listPaymentMethods: ({ mock }) => ({ paymentMethods: mock.billing.cardsOf(mock.user.userId) }),
  removePaymentMethod: ({ mock, body: { paymentMethodId } }) => {
    mock.billing.removeCard(mock.user.userId, paymentMethodId);
    return {};
  },
};

type PeopleAction =
  | 'list_users'
  | 'list_admins'
  | 'list_sessions'
  | 'list_subscriptions'
  | 'list_billing_events'
  | 'grant_pro'
  | 'revoke_pro';

export const people: Pick<ActionRoutes<'admin'>, PeopleAction> = {
  list_users: (mock, { text, ...page }) => {
    admin(mock).auditRead('read_users', 'users', { page: page.page ?? 1, text: text ?? null });
    const { items, pagination } = paged(admin(mock).everybody(text ?? ''), page);
    return { users: items.map((user) => mock.ratings.shown(user)), pagination };
  },
  list_admins: (mock, page) => {
    admin(mock).auditRead('read_users', 'users', { page: page.page ?? 1, admins: true });
    const admins = admin(mock)
      .everybody('')
      .filter((user) => user.isAdmin);
    const { items, pagination } = paged(admins, page);
    return { users: items.map((user) => mock.ratings.shown(user)), pagination };
  },
  list_sessions: (mock, { userId }) => {
    const isOwn = admin(mock).user.userId === userId;
    if (!isOwn) mock.auditRead('read_sessions', userId);
    return { sessions: isOwn ? mock.accountState.sessions : [] };
  },
  list_subscriptions: (mock, page) => {
    admin(mock).auditRead('read_subscriptions', 'subscriptions', { page: page.page ?? 1 });
    const told = admin(mock)
      .everybody('')
      .map(({ isProUser, ...user }) => {
        const subscription = mock.billing.subscriptionOf(user.userId);
        return { ...seat(user), isProUser, subscription, ...mock.billing.standingOf(user.userId) };
      })
      .filter(({ subscription }) => subscription.isSubScribe);
    const { items, pagination } = paged(told, page);
    return { subscriptions: items, pagination };
  },
  list_billing_events: (mock, { userId, ...page }) => {
    admin(mock).auditRead('read_payments', userId ?? 'payments', { page: page.page ?? 1 });
    const { items, pagination } = paged(admin(mock).billing.ledger(userId), page);
    return { events: items, pagination };
  },
  grant_pro: (mock, { userId, reason, until }) => {
    const user = admin(mock).find((each) => each.userId === userId);
    mock.billing.grant(user.userId, reason, until);
    return { user: mock.ratings.shown(mock.find((each) => each.userId === userId)) };
  },
  revoke_pro: (mock, { userId, reason }) => {
    const user = admin(mock).find((each) => each.userId === userId);
    mock.billing.revoke(user.userId, reason);
    return { user: mock.ratings.shown(mock.find((each) => each.userId === userId)) };
  },
};

/** The provider's API for a payment form with a client secret. */
export function standIn({ billing }: MockServer): HttpHandler[] {
  const answering = (what: string, answer: (secret: string, form: URLSearchParams) => Intent) =>
    http.post(`*/stand-in/v1/${what}`, async ({ request }) => {
      const form = new URLSearchParams(await request.text());
      try {
        return HttpResponse.json(answer(form.get('client_secret') ?? '', form));
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        const { status, code, message } = error;
        return HttpResponse.json({ error: { type: 'card_error', code, message } }, { status });
      }
    });
  return [
    answering('payment_intents/:id/confirm', (secret, form) => billing.confirm(secret, numberIn(form))),
    answering('payment_intents/:id/authenticate', (secret, form) => billing.authenticate(secret, isThem(form))),
    answering('setup_intents/:id/confirm', (secret, form) => billing.confirmSetup(secret, numberIn(form))),
    answering('setup_intents/:id/authenticate', (secret, form) => billing.authenticateSetup(secret, isThem(form))),
  ];
}

const isThem = (form: URLSearchParams) => form.get('outcome') === 'succeed';
const numberIn = (form: URLSearchParams) =>
  form.get('payment_method_data[sepa_debit][iban]') ?? form.get('payment_method_data[card][number]') ?? '';

function self(mock: MockServer, user: string | undefined): string {
  if (user !== undefined && user !== mock.user.userId) throw notYourself();
  return mock.member.userId;
}

function admin(mock: MockServer): MockServer {
  if (!mock.user.isAdmin) throw adminsOnly();
  requireFactor(mock);
  return mock;
}
