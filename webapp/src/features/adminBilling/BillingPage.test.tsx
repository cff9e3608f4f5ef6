import { screen, within } from '@testing-library/react';
import { http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { BillingEvent, UserSubscription } from '@/api/admin';
import { dateTime } from '@/shared/events/times';
import { expectAccessible } from '@/testing/axe';
import { paged } from '@/testing/mocks/paging';
import { renderApp } from '@/testing/renderApp';
import { actions, ada, answer, bob, failure, server } from '@/testing/server';
import './BillingPage';

const AT = '2026-11-21T10:00:00Z';
const GONE = '00000000-0000-4000-8000-0000000000aa';

let events: BillingEvent[];
let subscriptions: UserSubscription[];
let calls: ReturnType<typeof actions>['calls'];

const entry = (kind: string, userId?: string): BillingEvent => ({
  billingEventId: `be-${kind}-${userId ?? ''}`,
  kind,
  detail: `about ${kind}`,
  at: AT,
  ...(userId === undefined ? {} : { userId }),
});

beforeEach(() => {
  events = [entry('invoice.payment_failed', bob.userId), entry('pro_granted', GONE), entry('plan_created')];
  subscriptions = [];
  const ledger = actions('admin', {
    list_subscriptions: ({ page, limit }) => {
      const { items, pagination } = paged(subscriptions, { page: Number(page), limit: Number(limit) });
      return answer({ subscriptions: items as never, pagination });
    },
    list_billing_events: ({ userId, page, limit }) => {
      const found = events.filter((event) => userId === undefined || event.userId === userId);
      const { items, pagination } = paged(found, { page: Number(page), limit: Number(limit) });
      return answer({ events: items as never, pagination });
    },
  });
  const people = actions('userprofile', {
    get_user_by_id: ({ userId }) =>
      userId === bob.userId ? answer({ user: { ...bob, displayName: 'Robert' } }) : failure(404),
  });
  calls = ledger.calls;
  server.use(
    http.get('*/api/auth/check-login', () => answer({ isLogIn: true, user: { ...ada, isAdmin: true } })),
    http.post('*/api/auth/secure/token/refresh', () => answer({})),
    ...ledger.handlers,
    ...people.handlers,
  );
});

async function openLedger(path = '/app/admin/billing') {
  const app = renderApp(path);
  await screen.findByRole('heading', { name: 'Billing' });
  return app;
}

const rows = () => within(screen.getByRole('list', { name: 'Ledger' })).getAllByRole('listitem');

describe('the ledger', () => {
  it('shows what happened to whom, and when', async () => {
    await openLedger();
    await screen.findByRole('link', { name: 'Robert' });
    expect(rows().map(({ textContent }) => textContent)).toEqual([
      `Invoice payment failedabout invoice.payment_failedRobert${dateTime(AT)}`,
      `Pro grantedabout pro_granted${GONE}${dateTime(AT)}`,
      `Plan createdabout plan_created${dateTime(AT)}`,
    ]);
    expect(calls.filter(({ action }) => action !== 'overview')).toEqual([
      { action: 'list_billing_events', payload: { page: 1, limit: 25 } },
    ]);
    await expectAccessible();
  });

  it('can be filtered by account, which is in the URL, and the filter can be removed', async () => {
    const { user, router } = await openLedger();
    await user.click(await screen.findByRole('link', { name: 'Robert' }));
    expect(await screen.findByText(/^Only/)).toHaveTextContent('Only Robert');
    expect(router.state.location.search).toBe(`?user=${bob.userId}`);
    expect(calls.at(-1)?.payload).toEqual({ userId: bob.userId, page: 1, limit: 25 });
    await user.click(screen.getByRole('button', { name: 'Show everybody' }));
    expect(await screen.findByText('Pro granted')).toBeInTheDocument();
    expect(router.state.location.search).toBe('');
  });

  it('is split into pages of 25', async () => {
    events = Array.from({ length: 30 }, (_, at) => entry(`kind ${at}`));
    const { user } = await openLedger();
    await user.click(await screen.findByRole('button', { name: 'Next' }));
    expect(await screen.findByText('Kind 29')).toBeInTheDocument();
    expect(rows()).toHaveLength(5);
  });

  it('may be empty', async () => {
    events = [];
    await openLedger();
    expect(await screen.findByText('No payment, renewal or grant yet.')).toBeInTheDocument();
  });

  it('shows an error when it cannot be loaded', async () => {
    server.use(http.get('*/api/backend/admin', () => failure(503)));
    await openLedger();
    expect(await screen.findByText('Failed to load the ledger')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Try again' })).toBeInTheDocument();
  });
});

describe('the subscriptions', () => {
  const of = (username: string, subscription: object, over: Partial<UserSubscription> = {}): UserSubscription => ({
    userId: `id-${username}`,
    username,
    displayName: username,
    isProUser: true,
    subscription: { isSubScribe: true, isGranted: false, ...subscription },
    ...over,
  });

  it('show the state of each', async () => {
    subscriptions = [
      of('ann', { name: 'Monthly', nextPaymentDate: AT }, { status: 'active' }),
      of('ben', { name: 'Yearly', endsAt: AT }, { status: 'active' }),
      of('cem', { name: 'Yearly', graceUntil: AT }, { status: 'past_due' }),
      of('dora', { isGranted: true, endsAt: AT }, { reason: 'A friend.' }),
      of('eve', { isSubScribe: false }, { isProUser: false, status: 'canceled' }),
    ];
    const { user } = await openLedger();
    await user.click(screen.getByRole('tab', { name: 'Subscriptions' }));
    const list = within(await screen.findByRole('list', { name: 'Subscriptions' }));
    expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      `ann ProMonthly · renews on ${dateTime(AT)} · at the provider: activeLedger`,
      `ben ProYearly · cancelled, Pro until ${dateTime(AT)} · at the provider: activeLedger`,
      `cem ProYearly · a payment failed, Pro until ${dateTime(AT)} · at the provider: past dueLedger`,
      `dora Progranted until ${dateTime(AT)} · A friend.Ledger`,
      'eve at the provider: canceledLedger',
    ]);
    await expectAccessible();
    await user.click(list.getByRole('link', { name: 'Ledger of ann' }));
    expect(await screen.findByText(/^Only id-ann/)).toBeInTheDocument();
  });

  it('may be an empty list', async () => {
    await openLedger('/app/admin/billing?tab=subscriptions');
    expect(await screen.findByText('Nobody subscribes yet.')).toBeInTheDocument();
  });
});
