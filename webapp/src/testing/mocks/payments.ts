/** The actions of subscriptions, what admins do about them, and the stand-in for the payment provider. */

import { http, HttpResponse, type HttpHandler } from 'msw';
import type { components } from '@/api/schema';
import { FREE_EVENTS } from './arena';
import { type Intent, MOCK_KEY, PLANS } from './billing';
import { seat } from './game';
import type { ActionRoutes, Routes } from './http';
import { paged } from './paging';
import { adminsOnly, notYourself, Refusal } from './refusal';
import { wireTime } from './tournament';
import type { World } from './world';

type Schemas = components['schemas'];

/** Where the page is; a test without one says it. */
const STAND_IN = `${globalThis.location?.origin ?? 'http://localhost:3000'}/stand-in`;

export const subscriptions: ActionRoutes<'subscription'> = {
  get_subscription: (world) => told(world, world.billing.subscriptionOf(world.user.userId)),
  get_stripekey: (world) => world.user && { PUBLISHABLE_SECRET_KEY: MOCK_KEY, apiBase: STAND_IN },
  get_plans: () => ({
    plans: [...PLANS],
    configured: true,
    fromPrice: { price: 399, currency: 'usd', months: 1 },
    benefits: ['Unlimited tournament access per month', 'Cancel anytime'],
    freeEventsPerMonth: FREE_EVENTS,
  }),
  list_invoices: (world, page) => {
    const { items, pagination } = paged(world.billing.invoicesOf(world.user.userId), page, 20);
    return { invoices: items, pagination };
  },
  subscribe: (world, { user, paymentIntentId, planId }) => {
    const subscription = world.billing.subscribe(self(world, user), paymentIntentId, planId);
    return { subscription, paymentStatus: subscription.isProcessing ? 'processing' : 'succeeded' };
  },
  create_subscription_iten: (world, { user, planId }) => ({
    clientSecret: world.billing.begin(self(world, user), planId),
  }),
  cancel_subscription: (world) => {
    world.billing.cancel(world.member.userId);
    return {};
  },
  resume_subscription: (world) => ({ subscription: world.billing.resume(world.member.userId) }),
  create_setup_intent: (world) => ({ clientSecret: world.billing.beginSetup(world.member.userId) }),
  add_payment_method: (world, payload) => {
    world.billing.addCard(world.member.userId, payload);
    return { paymentMethods: world.billing.cardsOf(world.member.userId) };
  },
  set_default_payment_method: (world, { paymentMethodId }) => {
    world.billing.chooseCard(world.member.userId, paymentMethodId);
    return { paymentMethods: world.billing.cardsOf(world.member.userId) };
  },
  change_plan: (world, { planId }) => {
    const { userId } = world.member;
    const clientSecret = world.billing.change(userId, planId);
    const subscription = world.billing.subscriptionOf(userId);
    return clientSecret === undefined
      ? { subscription, paymentStatus: 'succeeded' }
      : { subscription, paymentStatus: 'requiresAction', clientSecret };
  },
  finish_plan_change: (world, { planId }) => ({
    subscription: world.billing.finishChange(world.member.userId, planId),
    paymentStatus: 'succeeded',
  }),
};

/** A subscription with what the free plan still allows beside it. */
function told(world: World, subscription: Schemas['Subscription']): Omit<Schemas['SubscriptionAnswer'], 'succeeded'> {
  if (subscription.isSubScribe) return { subscription };
  const now = new Date();
  return {
    subscription,
    freeEventsUsed: Math.min(world.arena.joinedBy(world.user.userId), FREE_EVENTS),
    freeEventsLimit: FREE_EVENTS,
    freeEventsResetAt: wireTime(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)).toISOString()),
  };
}

type PaymentOperation = 'getUserSubscription' | 'cancelUserSubscription' | 'listPaymentMethods' | 'removePaymentMethod';

export const payments: Pick<Routes, PaymentOperation> = {
  getUserSubscription: ({ world }) => told(world, world.billing.subscriptionOf(world.user.userId)),
  cancelUserSubscription: ({ world }) => {
    world.billing.cancel(world.member.userId);
    return {};
  },
  listPaymentMethods: ({ world }) => ({ paymentMethods: world.billing.cardsOf(world.user.userId) }),
  removePaymentMethod: ({ world, body: { paymentMethodId } }) => {
    world.billing.removeCard(world.user.userId, paymentMethodId);
    return {};
  },
};

type PeopleAction =
  'list_users' | 'list_sessions' | 'list_subscriptions' | 'list_billing_events' | 'grant_pro' | 'revoke_pro';

export const people: Pick<ActionRoutes<'admin'>, PeopleAction> = {
  list_users: (world, { text = '', ...page }) => {
    const { items, pagination } = paged(admin(world).everybody(text), page);
    return { users: items, pagination };
  },
  list_sessions: (world, { userId }) => ({
    sessions: admin(world).user.userId === userId ? world.upkeep.sessions : [],
  }),
  list_subscriptions: (world, page) => {
    const told = admin(world)
      .everybody('')
      .map(({ isProUser, ...user }) => {
        const subscription = world.billing.subscriptionOf(user.userId);
        return { ...seat(user), isProUser, subscription, ...world.billing.standingOf(user.userId) };
      })
      .filter(({ subscription }) => subscription.isSubScribe);
    const { items, pagination } = paged(told, page);
    return { subscriptions: items, pagination };
  },
  list_billing_events: (world, { userId, ...page }) => {
    const { items, pagination } = paged(admin(world).billing.ledger(userId), page);
    return { events: items, pagination };
  },
  grant_pro: (world, { userId, reason, until }) => {
    const user = admin(world).find((each) => each.userId === userId);
    world.billing.grant(user.userId, reason, until);
    return { user: world.find((each) => each.userId === userId) };
  },
  revoke_pro: (world, { userId, reason }) => {
    const user = admin(world).find((each) => each.userId === userId);
    world.billing.revoke(user.userId, reason);
    return { user: world.find((each) => each.userId === userId) };
  },
};

/** What the provider's interface answers to a payment form that holds a client secret. */
export function standIn({ billing }: World): HttpHandler[] {
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

function self(world: World, user: string | undefined): string {
  if (user !== undefined && user !== world.user.userId) throw notYourself();
  return world.member.userId;
}

function admin(world: World): World {
  if (!world.user.isAdmin) throw adminsOnly();
  return world;
}
