/** Plans, purchases and who has Pro, with a stand-in for the payment provider that knows a few cards and bank accounts. */

import type { components } from '@/api/schema';
import { conflict, invalid, notFound, Refusal } from './refusal';
import { endError, mustHaveReason } from './serverRules';

type Schemas = components['schemas'];
type Subscription = Schemas['Subscription'];
type Plan = Schemas['Plan'];

const MONTH_MS = 30 * 24 * 60 * 60 * 1_000;
export const MOCK_KEY = 'pk_test_mock';

/** The default plans: docs/behaviour/payments.md#plans. */
export const PLANS: readonly (Plan & { months: number })[] = [
  { planId: '1', name: 'Monthly', price: 399, currency: 'usd', isPopularChoice: false, months: 1 },
  { planId: '2', name: '6 Months', price: 1800, currency: 'usd', savings: '25%', isPopularChoice: false, months: 6 },
  { planId: '3', name: 'Yearly', price: 3500, currency: 'usd', savings: '27%', isPopularChoice: true, months: 12 },
];

type IntentStatus = 'requires_payment_method' | 'requires_action' | 'processing' | 'succeeded';

/** A payment as the provider returns it. */
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

/** A card that is being added. */
interface Setup {
  userId: string;
  secret: string;
  intent: Intent;
  number: string;
}

interface Member {
  paid?: { planId: string; endsAt: number; isCancelled: boolean };
  /** A change of plan that waits for the bank's authentication. */
  changing?: { planId: string; secret: string };
  /** The plan whose first payment is being processed. */
  processing?: string;
  granted?: { reason: string; until?: string };
}

export class Billing {
  readonly #members = new Map<string, Member>();
  readonly #payments = new Map<string, Payment>();
  readonly #setups = new Map<string, Setup>();
  readonly #cards = new Map<string, Schemas['PaymentMethod'][]>();
  readonly #invoices = new Map<string, Schemas['Invoice'][]>();
  readonly #ledger: Schemas['BillingEvent'][] = [];
  readonly #onPro: (userId: string, isPro: boolean) => void;
  /** As `billing.require_verified_email`. */
  requiresVerifiedEmail = false;

  constructor(onPro: (userId: string, isPro: boolean) => void) {
    this.#onPro = onPro;
  }

  subscriptionOf(userId: string): Subscription {
    const { paid, granted, processing } = this.#member(userId);
    const isGranted = granted !== undefined;
    if (paid === undefined) {
      if (processing !== undefined) {
        const { planId, name, price } = planOf(processing);
        return { isSubScribe: isGranted, isGranted, isProcessing: true, planId, name, price };
      }
      return { isSubScribe: isGranted, isGranted, ...(granted?.until === undefined ? {} : { endsAt: granted.until }) };
    }
    const { planId, name, price } = planOf(paid.planId);
    const at = new Date(paid.endsAt).toISOString();
    const when = paid.isCancelled ? { endsAt: at } : { nextPaymentDate: at };
    return { isSubScribe: true, isGranted, planId, name, price, ...when };
  }

  /** Additional details for admins. */
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

  /** Who may enter a card. */
  checkEmail({ emailVerified }: Schemas['User']): void {
    if (this.requiresVerifiedEmail && !emailVerified) {
      throw new Refusal(403, 'email-not-verified', 'Please verify your email first.');
    }
  }

  /** Begins a purchase or continues an unpaid one; returns its client secret. */
  begin(userId: string, planId: string): string {
    planOf(planId);
    if (this.#member(userId).processing !== undefined)
      throw conflict('payment-processing', 'Your payment is being processed. As soon as it has arrived you can go on.');
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

  /** The provider's response to a card. */
  confirm(secret: string, number: string): Intent {
    const payment = this.#paymentBy(secret);
    if (number.endsWith('0002')) throw new Refusal(402, 'card_declined', 'Your card was declined.');
    payment.card = number.slice(-4);
    if (isBankAccount(number)) return this.#settle(payment, 'processing');
    return this.#settle(payment, number.endsWith('3155') ? 'requires_action' : 'succeeded');
  }

  /** A payment that is being processed succeeds or fails. */
  arrive(userId: string, isPaid = true): void {
    const { processing, ...member } = this.#member(userId);
    if (processing === undefined) throw new Error('nothing is on its way');
    this.#change(userId, member);
    if (isPaid) this.#charge(userId, planOf(processing));
  }

  /** Begins to add a payment method; returns its client secret. */
  beginSetup(userId: string): string {
    const id = `seti_${crypto.randomUUID().replaceAll('-', '')}`;
    const secret = `${id}_secret_mock`;
    const intent: Intent = { id, status: 'requires_payment_method', payment_method: null, last_payment_error: null };
    this.#setups.set(id, { userId, secret, intent, number: '' });
    return secret;
  }

  confirmSetup(secret: string, number: string): Intent {
    const setup = this.#setupBy(secret);
    if (number.endsWith('0002')) throw new Refusal(402, 'card_declined', 'Your card was declined.');
    setup.number = number;
    return this.#settle(setup, number.endsWith('3155') ? 'requires_action' : 'succeeded');
  }

  authenticateSetup(secret: string, isThem: boolean): Intent {
    return this.#answered(this.#setupBy(secret), isThem);
  }

  addCard(userId: string, { setupIntentId, makeDefault, replaces }: Schemas['AddPaymentMethod']): void {
    const setup = this.#setups.get(setupIntentId);
    if (setup === undefined) throw notFound('Payment');
    if (setup.userId !== userId) throw new Refusal(403, 'forbidden', 'This payment method is somebody else’s.');
    if (setup.intent.status !== 'succeeded') {
      throw new Refusal(402, 'not-added', 'The payment method was not added. Please try again.');
    }
    const old = replaces === undefined ? undefined : this.#cardOf(userId, replaces);
    const kept = this.cardsOf(userId).filter((each) => each !== old);
    const isFirst = !kept.some(({ isDefault }) => isDefault);
    const card = cardOf(setup.intent.payment_method ?? '', setup.number, false);
    this.#cards.set(userId, [...kept, card]);
    if (makeDefault === true || isFirst) this.chooseCard(userId, card.paymentMethodId);
  }

  chooseCard(userId: string, paymentMethodId: string): void {
    this.#cardOf(userId, paymentMethodId);
    const cards = this.cardsOf(userId);
    this.#cards.set(
      userId,
      cards.map((each) => ({ ...each, isDefault: each.paymentMethodId === paymentMethodId })),
    );
  }

  /** The card holder passes or fails the bank's authentication. */
  authenticate(secret: string, isThem: boolean): Intent {
    return this.#answered(this.#paymentBy(secret), isThem);
  }

  /** Activates the plan only if the provider confirms the payment. */
  subscribe(userId: string, paymentIntentId: string, planId: string): Subscription {
    const payment = this.#payments.get(paymentIntentId);
    const isTheirs = payment?.userId === userId && payment.planId === planId;
    if (isTheirs && payment.intent.status === 'processing') {
      this.#keep(userId, payment);
      this.#change(userId, { ...this.#member(userId), processing: planId });
      return this.subscriptionOf(userId);
    }
    if (!isTheirs || payment.intent.status !== 'succeeded') {
      throw new Refusal(402, 'payment-not-succeeded', 'The payment did not go through.');
    }
    if (this.#member(userId).paid === undefined) {
      this.#charge(userId, planOf(planId));
      this.#keep(userId, payment);
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

  /** If the card needs authentication, returns the client secret for it. */
  change(userId: string, planId: string): string | undefined {
    this.#paid(userId);
    const plan = planOf(planId);
    const card = this.cardsOf(userId).find(({ isDefault }) => isDefault);
    if (card?.last4 !== '3155') {
      this.#charge(userId, plan);
      return undefined;
    }
    const id = `pi_${crypto.randomUUID().replaceAll('-', '')}`;
    const secret = `${id}_secret_mock`;
    const method = card.paymentMethodId;
    const intent: Intent = { id, status: 'requires_action', payment_method: method, last_payment_error: null };
    this.#payments.set(id, { userId, planId, secret, intent, card: card.last4 });
    this.#change(userId, { ...this.#member(userId), changing: { planId, secret } });
    return secret;
  }

  finishChange(userId: string, planId: string): Subscription {
    const { changing, ...member } = this.#member(userId);
    if (this.#paid(userId).planId === planId) return this.subscriptionOf(userId);
    this.#change(userId, member);
    if (changing?.planId !== planId || this.#paymentBy(changing.secret).intent.status !== 'succeeded') {
      const text = 'The payment was not confirmed. Your plan stays as it was, and nothing was charged.';
      throw new Refusal(402, 'plan-not-changed', text);
    }
    this.#charge(userId, planOf(planId));
    return this.subscriptionOf(userId);
  }

  removeCard(userId: string, paymentMethodId: string): void {
    const cards = this.cardsOf(userId);
    const card = this.#cardOf(userId, paymentMethodId);
    const { paid } = this.#member(userId);
    if (card.isDefault && paid !== undefined && !paid.isCancelled) throw conflict('card-in-use', inUse(cards.length));
    this.#cards.set(
      userId,
      cards.filter((each) => each !== card),
    );
  }

  grant(userId: string, text: string, until?: string): void {
    const reason = mustHaveReason(text);
    const why = endError(until);
    if (why !== null) throw invalid('until', why);
    this.#change(userId, { ...this.#member(userId), granted: { reason, ...(until === undefined ? {} : { until }) } });
    this.#note(userId, 'granted', reason);
  }

  revoke(userId: string, text: string): void {
    const reason = mustHaveReason(text);
    const { granted, ...rest } = this.#member(userId);
    if (granted === undefined) {
      const text = 'Nothing was granted to this account. A subscription is cancelled by whoever pays for it.';
      throw conflict('not-granted', text);
    }
    this.#change(userId, rest);
    this.#note(userId, 'revoked', reason);
  }

  /** Applies the result of the bank's authentication. */
  #answered(payment: Payment | Setup, isThem: boolean): Intent {
    if (isThem) return this.#settle(payment, 'succeeded');
    const message =
      'We are unable to authenticate your payment method. Please choose a different payment method and try again.';
    payment.intent = { ...payment.intent, status: 'requires_payment_method', last_payment_error: { message } };
    return payment.intent;
  }

  /** Stores the payment method of a purchase as the default. */
  #keep(userId: string, { intent, card }: Payment): void {
    const number = intent.status === 'processing' ? `DE${card}` : card;
    const others = this.cardsOf(userId).map((each) => ({ ...each, isDefault: false }));
    this.#cards.set(userId, [cardOf(intent.payment_method ?? '', number, true), ...others]);
  }

  #cardOf(userId: string, paymentMethodId: string): Schemas['PaymentMethod'] {
    const card = this.cardsOf(userId).find((each) => each.paymentMethodId === paymentMethodId);
    if (card === undefined) throw notFound('Payment method');
    return card;
  }

  #setupBy(secret: string): Setup {
    const setup = [...this.#setups.values()].find((each) => each.secret === secret);
    if (setup === undefined) throw notFound('Setup');
    return setup;
  }

  #settle(payment: Payment | Setup, status: IntentStatus): Intent {
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

function isBankAccount(number: string): boolean {
  return /^[A-Z]{2}/i.test(number);
}

function cardOf(paymentMethodId: string, number: string, isDefault: boolean): Schemas['PaymentMethod'] {
  const last4 = number.slice(-4);
  if (isBankAccount(number)) return { paymentMethodId, brand: 'sepa_debit', last4, isDefault };
  return { paymentMethodId, brand: 'visa', last4, expires: '12/2034', isDefault };
}

function inUse(kept: number): string {
  return kept === 1
    ? 'Your plan needs a payment method, and this is the only one. Add another one first, replace it, or cancel the plan.'
    : 'Your plan is paid with this payment method. Make another one the default first, or cancel the plan.';
}
