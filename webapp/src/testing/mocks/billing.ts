/** Plans, purchases and who has Pro, with a stand-in for the payment provider that knows three cards. */

import type { components } from '@/api/schema';
import { conflict, invalid, notFound, Refusal } from './refusal';

type Schemas = components['schemas'];
type Subscription = Schemas['Subscription'];
type Plan = Schemas['Plan'];

const MONTH_MS = 30 * 24 * 60 * 60 * 1_000;
export const MOCK_KEY = 'pk_test_mock';

/** Account and platform, section 9. */
export const PLANS: readonly (Plan & { months: number })[] = [
  { planId: '1', name: 'Monthly', price: 399, currency: 'usd', isPopularChoice: false, months: 1 },
  { planId: '2', name: '6 Months', price: 1800, currency: 'usd', savings: '25%', isPopularChoice: false, months: 6 },
  { planId: '3', name: 'Yearly', price: 3500, currency: 'usd', savings: '27%', isPopularChoice: true, months: 12 },
];

type IntentStatus = 'requires_payment_method' | 'requires_action' | 'succeeded';

/** A payment as the provider tells of it. */
export interface Intent {
  id: string;
  status: IntentStatus;
  payment_method: string | null;
  last_payment_error: { message: string } | null;
}

interface Payment {
  userId: string;
  planId: string;
  secret: string;
  intent: Intent;
  card: string;
}

interface Member {
  paid?: { planId: string; endsAt: number; isCancelled: boolean };
  granted?: { reason: string; until?: string };
}

export class Billing {
  readonly #members = new Map<string, Member>();
  readonly #payments = new Map<string, Payment>();
  readonly #cards = new Map<string, Schemas['PaymentMethod'][]>();
  readonly #invoices = new Map<string, Schemas['Invoice'][]>();
  readonly #ledger: Schemas['BillingEvent'][] = [];
  readonly #onPro: (userId: string, isPro: boolean) => void;

  constructor(onPro: (userId: string, isPro: boolean) => void) {
    this.#onPro = onPro;
  }

  subscriptionOf(userId: string): Subscription {
    const { paid, granted } = this.#member(userId);
    const isGranted = granted !== undefined;
    if (paid === undefined) {
      return { isSubScribe: isGranted, isGranted, ...(granted?.until === undefined ? {} : { endsAt: granted.until }) };
    }
    const { planId, name, price } = planOf(paid.planId);
    const at = new Date(paid.endsAt).toISOString();
    const when = paid.isCancelled ? { endsAt: at } : { nextPaymentDate: at };
    return { isSubScribe: true, isGranted, planId, name, price, ...when };
  }

  /** What admins are told beside it. */
  standingOf(userId: string): { status?: string; reason?: string } {
    const { paid, granted } = this.#member(userId);
    return { ...(paid && { status: 'active' }), ...(granted && { reason: granted.reason }) };
  }

  cardsOf(userId: string): Schemas['PaymentMethod'][] {
    return this.#cards.get(userId) ?? [];
  }

  invoicesOf(userId: string): Schemas['Invoice'][] {
    return this.#invoices.get(userId) ?? [];
  }

  /** The newest first. */
  ledger(userId?: string): Schemas['BillingEvent'][] {
    return this.#ledger.filter((event) => userId === undefined || event.userId === userId).reverse();
  }

  /** Begins a purchase, or goes on with one that is not paid; answers its client secret. */
  begin(userId: string, planId: string): string {
    planOf(planId);
    if (this.#member(userId).paid !== undefined)
      throw conflict('already-subscribed', 'You have a subscription already. You can change its plan.');
    const open = [...this.#payments.values()].find((payment) => payment.userId === userId && payment.planId === planId);
    if (open !== undefined && open.intent.status !== 'succeeded') return open.secret;
    const id = `pi_${crypto.randomUUID().replaceAll('-', '')}`;
    const secret = `${id}_secret_mock`;
    const intent: Intent = { id, status: 'requires_payment_method', payment_method: null, last_payment_error: null };
    this.#payments.set(id, { userId, planId, secret, intent, card: '' });
    return secret;
  }

  /** What the provider makes of a card. */
  confirm(secret: string, number: string): Intent {
    const payment = this.#paymentBy(secret);
    if (number.endsWith('0002')) throw new Refusal(402, 'card_declined', 'Your card was declined.');
    payment.card = number.slice(-4);
    return this.#settle(payment, number.endsWith('3155') ? 'requires_action' : 'succeeded');
  }

  /** What the holder of a card that asks for authentication answers. */
  authenticate(secret: string, isThem: boolean): Intent {
    const payment = this.#paymentBy(secret);
    if (isThem) return this.#settle(payment, 'succeeded');
    const message =
      'We are unable to authenticate your payment method. Please choose a different payment method and try again.';
    payment.intent = { ...payment.intent, status: 'requires_payment_method', last_payment_error: { message } };
    return payment.intent;
  }

  /** Believes the provider alone. */
  subscribe(userId: string, paymentIntentId: string, planId: string): Subscription {
    const payment = this.#payments.get(paymentIntentId);
    const isTheirs = payment?.userId === userId && payment.planId === planId;
    if (!isTheirs || payment.intent.status !== 'succeeded') {
      throw new Refusal(402, 'payment-not-succeeded', 'The payment did not go through.');
    }
    if (this.#member(userId).paid === undefined) {
      this.#charge(userId, planOf(planId));
      const id = payment.intent.payment_method ?? '';
      const card = { paymentMethodId: id, brand: 'visa', last4: payment.card, expires: '12/2034', isDefault: true };
      this.#cards.set(userId, [card, ...this.cardsOf(userId).map((each) => ({ ...each, isDefault: false }))]);
    }
    return this.subscriptionOf(userId);
  }

  cancel(userId: string): void {
    this.#paid(userId).isCancelled = true;
    this.#note(userId, 'cancelled', 'Not renewed any more.');
  }

  resume(userId: string): Subscription {
    this.#paid(userId).isCancelled = false;
    this.#note(userId, 'resumed', 'Renewed again.');
    return this.subscriptionOf(userId);
  }

  change(userId: string, planId: string): Subscription {
    this.#paid(userId);
    this.#charge(userId, planOf(planId));
    return this.subscriptionOf(userId);
  }

  removeCard(userId: string, paymentMethodId: string): void {
    const cards = this.cardsOf(userId);
    const card = cards.find((each) => each.paymentMethodId === paymentMethodId);
    if (card === undefined) throw notFound('Payment method');
    const { paid } = this.#member(userId);
    if (card.isDefault && paid !== undefined && !paid.isCancelled) {
      throw conflict('card-in-use', 'Your plan is paid with this card. Cancel the plan first.');
    }
    this.#cards.set(
      userId,
      cards.filter((each) => each !== card),
    );
  }

  grant(userId: string, reason: string, until?: string): void {
    if (reason.trim() === '') throw invalid('reason', 'Please give a reason.');
    this.#change(userId, { ...this.#member(userId), granted: { reason, ...(until === undefined ? {} : { until }) } });
    this.#note(userId, 'granted', reason);
  }

  revoke(userId: string, reason: string): void {
    if (reason.trim() === '') throw invalid('reason', 'Please give a reason.');
    const { granted, ...rest } = this.#member(userId);
    if (granted === undefined) {
      const text = 'Nothing was granted to this account. A subscription is cancelled by whoever pays for it.';
      throw conflict('not-granted', text);
    }
    this.#change(userId, rest);
    this.#note(userId, 'revoked', reason);
  }

  #settle(payment: Payment, status: IntentStatus): Intent {
    const method = payment.intent.payment_method ?? `pm_${crypto.randomUUID().replaceAll('-', '')}`;
    payment.intent = { ...payment.intent, status, payment_method: method, last_payment_error: null };
    return payment.intent;
  }

  #charge(userId: string, { planId, name, price, currency, months }: (typeof PLANS)[number]): void {
    const endsAt = Date.now() + months * MONTH_MS;
    this.#change(userId, { ...this.#member(userId), paid: { planId, endsAt, isCancelled: false } });
    const invoice = { invoiceId: `in_${this.#ledger.length}`, amount: price, currency, status: 'paid' };
    this.#invoices.set(userId, [{ ...invoice, createdAt: new Date().toISOString() }, ...this.invoicesOf(userId)]);
    this.#note(userId, 'paid', `${name}, ${price} ${currency}`);
  }

  #member(userId: string): Member {
    return this.#members.get(userId) ?? {};
  }

  #paid(userId: string): NonNullable<Member['paid']> {
    const { paid } = this.#member(userId);
    if (paid === undefined) throw conflict('no-subscription', 'You have no subscription.');
    return paid;
  }

  #change(userId: string, member: Member): void {
    this.#members.set(userId, member);
    this.#onPro(userId, member.paid !== undefined || member.granted !== undefined);
  }

  #note(userId: string, kind: string, detail: string): void {
    const at = new Date().toISOString();
    this.#ledger.push({ billingEventId: `be_${this.#ledger.length}`, userId, kind, detail, at });
  }

  #paymentBy(secret: string): Payment {
    const payment = [...this.#payments.values()].find((each) => each.secret === secret);
    if (payment === undefined) throw notFound('Payment');
    return payment;
  }
}

function planOf(planId: string): (typeof PLANS)[number] {
  const plan = PLANS.find((each) => each.planId === planId);
  if (plan === undefined) throw notFound('Plan');
  return plan;
}
