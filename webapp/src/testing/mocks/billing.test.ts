import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { misfit } from './fit';
import { mockHandlers } from './handlers';
import { DEMO, DEMO_ADMIN, MockServer } from './mockServer';

const ORIGIN = 'http://localhost:3000';
const PAID = '4242424242424242';
const DECLINED = '4000000000000002';
const ASKS = '4000002500003155';

const server = setupServer();
let mock: MockServer;
let userId: string;

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());
beforeEach(() => {
  mock = new MockServer();
  mock.signIn(DEMO.email, DEMO.password);
  ({ userId } = mock.user);
  server.use(...mockHandlers(mock));
});

async function post(path: string, body: object) {
  const response = await fetch(`${ORIGIN}/api/backend/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as Record<string, unknown>;
  if (!response.ok) expect(misfit('Failure', answer)).toBeNull();
  return { status: response.status, answer };
}

const act = (action: string, payload: object) => post('subscription', { action, payload });

async function atProvider(what: string, secret: string, fields: Record<string, string>) {
  const [id = ''] = secret.split('_secret_');
  const body = new URLSearchParams({ client_secret: secret, ...fields });
  const kind = id.startsWith('seti_') ? 'setup_intents' : 'payment_intents';
  const response = await fetch(`${ORIGIN}/stand-in/v1/${kind}/${id}/${what}`, { method: 'POST', body });
  return { status: response.status, answer: (await response.json()) as Record<string, unknown> };
}

const confirm = (secret: string, number: string) =>
  atProvider('confirm', secret, { 'payment_method_data[card][number]': number });

async function begin(planId: string): Promise<string> {
  const { answer } = await act('create_subscription_iten', { user: userId, planId });
  return String(answer.clientSecret);
}

const report = (secret: string, planId: string) =>
  act('subscribe', {
    paymentIntentId: secret.split('_secret_')[0],
    planId,
    isPaid: true,
    paymentMethodeId: 'pm_whatever',
  });

describe('a purchase', () => {
  it('makes the user Pro once it is paid, whatever the client reports before', async () => {
    const secret = await begin('3');
    expect(await begin('3')).toBe(secret);
    expect((await report(secret, '3')).status).toBe(402);
    expect(mock.user.isProUser).toBe(false);
    expect((await confirm(secret, PAID)).answer).toMatchObject({ status: 'succeeded' });
    expect((await report(secret, '1')).status).toBe(402);
    const { answer } = await report(secret, '3');
    expect(answer).toMatchObject({ subscription: { isSubScribe: true, planId: '3', price: 3500 } });
    expect(mock.user.isProUser).toBe(true);
    expect(mock.billing.invoicesOf(userId)).toHaveLength(1);
    await report(secret, '3');
    expect(mock.billing.invoicesOf(userId)).toHaveLength(1);
    expect((await act('create_subscription_iten', { planId: '1' })).status).toBe(409);
  });

  it('is declined, and paid with another card', async () => {
    const secret = await begin('1');
    const { status, answer } = await confirm(secret, DECLINED);
    expect(status).toBe(402);
    expect(answer).toMatchObject({ error: { message: 'Your card was declined.' } });
    expect((await confirm(secret, PAID)).answer).toMatchObject({ status: 'succeeded' });
  });

  it('waits for a user whose bank asks them', async () => {
    const secret = await begin('1');
    expect((await confirm(secret, ASKS)).answer).toMatchObject({ status: 'requires_action' });
    expect((await report(secret, '1')).status).toBe(402);
    const { answer } = await atProvider('authenticate', secret, { outcome: 'fail' });
    expect(answer).toMatchObject({ status: 'requires_payment_method' });
    await confirm(secret, ASKS);
    await atProvider('authenticate', secret, { outcome: 'succeed' });
    expect((await report(secret, '1')).status).toBe(200);
  });

  it('from a bank account is pending, and Pro begins when it arrives', async () => {
    const secret = await begin('1');
    await atProvider('confirm', secret, { 'payment_method_data[sepa_debit][iban]': 'DE89370400440532013000' });
    expect((await report(secret, '1')).answer).toMatchObject({
      paymentStatus: 'processing',
      subscription: { isSubScribe: false, isProcessing: true, planId: '1' },
    });
    expect((await act('create_subscription_iten', { planId: '1' })).status).toBe(409);
    mock.billing.arrive(userId);
    expect(mock.user.isProUser).toBe(true);
  });

  it('of another user is not found', async () => {
    const bob = mock.find(({ username }) => username === 'bob');
    const secret = mock.billing.begin(bob.userId, '1');
    await confirm(secret, PAID);
    expect((await report(secret, '1')).status).toBe(402);
    expect((await act('create_subscription_iten', { user: bob.userId, planId: '1' })).status).toBe(403);
  });
});

describe('a plan', () => {
  beforeEach(async () => {
    const secret = await begin('1');
    await confirm(secret, PAID);
    await report(secret, '1');
  });

  it('is cancelled, resumed and changed', async () => {
    expect((await post('api/v1/user/subscription/cancel', { planId: '1' })).status).toBe(200);
    expect(mock.billing.subscriptionOf(userId)).toMatchObject({ isSubScribe: true, endsAt: expect.any(String) });
    expect((await act('resume_subscription', {})).answer).toMatchObject({
      subscription: { nextPaymentDate: expect.any(String) },
    });
    expect((await act('change_plan', { planId: '2' })).answer).toMatchObject({ subscription: { name: '6 Months' } });
    expect(mock.billing.ledger(userId).map(({ kind }) => kind)).toEqual(['paid', 'resumed', 'cancelled', 'paid']);
  });

  it('keeps its card while it is paid with it', async () => {
    const [card] = mock.billing.cardsOf(userId);
    expect(card).toMatchObject({ brand: 'visa', last4: '4242', isDefault: true });
    const remove = () => post('api/v1/payment/methode/remove', { paymentMethodId: card?.paymentMethodId });
    expect((await remove()).status).toBe(409);
    const { answer } = await act('create_setup_intent', {});
    const secret = String(answer.clientSecret);
    const setupIntentId = secret.split('_secret_')[0];
    expect((await act('add_payment_method', { setupIntentId })).status).toBe(402);
    const number = { 'payment_method_data[card][number]': PAID };
    expect((await atProvider('confirm', secret, number)).answer).toMatchObject({ status: 'succeeded' });
    expect((await act('add_payment_method', { setupIntentId, makeDefault: true })).answer).toMatchObject({
      paymentMethods: [{ isDefault: false }, { isDefault: true }],
    });
    expect((await act('set_default_payment_method', { paymentMethodId: card?.paymentMethodId })).status).toBe(200);
    expect((await act('set_default_payment_method', { paymentMethodId: 'pm_unheard' })).status).toBe(404);
    const [, added] = mock.billing.cardsOf(userId);
    mock.billing.removeCard(userId, added?.paymentMethodId ?? '');
    mock.billing.cancel(userId);
    expect((await remove()).status).toBe(200);
    expect(mock.billing.cardsOf(userId)).toEqual([]);
  });
});

describe('a grant', () => {
  it('makes a user Pro without payment, for a reason, until it is revoked', async () => {
    mock.signIn(DEMO_ADMIN.email, DEMO_ADMIN.password);
    const admin = (action: string, payload: object) => post('admin', { action, payload: { userId, ...payload } });
    expect((await admin('grant_pro', { reason: ' ' })).status).toBe(422);
    expect((await admin('grant_pro', { reason: 'A friend.' })).answer).toMatchObject({ user: { isProUser: true } });
    expect(mock.billing.subscriptionOf(userId)).toEqual({ isSubScribe: true, isGranted: true });
    expect((await admin('revoke_pro', { reason: 'Moved away.' })).answer).toMatchObject({
      user: { isProUser: false },
    });
  });
});
