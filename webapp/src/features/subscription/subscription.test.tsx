import { notifications } from '@mantine/notifications';
import { act, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Subscription, subscriptionApi } from '@/api/subscription';
import { CONFETTI_MS } from '@/shared/confetti';
import { expectAccessible } from '@/testing/axe';
import { passTime, useFakeTimers } from '@/testing/fakeTimers';
import { setScreenWidth, renderWithMockServer } from '@/testing/renderWithMockServer';
import { actions, answer, failure, server } from '@/testing/server';
import { REDIRECT_MS } from './usePayment';
import { FOLLOW_MS } from './Membership';
import { page } from './page';
import { priceText } from '@/shared/plan/price';
// Imported here, so that loading does not count towards the time-out of the first test.
import './payment/StandInForm';
import './ProPage';

const { celebrate } = vi.hoisted(() => ({ celebrate: vi.fn(() => Promise.resolve()) }));
vi.mock('@/shared/confetti', async (original) => ({ ...(await original<object>()), celebrate }));

beforeEach(() => {
  notifications.clean();
  celebrate.mockClear();
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  setScreenWidth(1280);
});
afterEach(() => vi.restoreAllMocks());

/** Replaces the response of one action from now on; undefined restores it. The other actions are unchanged. */
function answering(action: string, respond: () => Response | undefined | Promise<Response | undefined>) {
  const only = (asked: unknown) => (asked === action ? respond() : undefined);
  server.use(
    http.get('*/api/backend/subscription', ({ request }) => only(new URL(request.url).searchParams.get('action'))),
    http.post('*/api/backend/subscription', async ({ request }) =>
      only(((await request.clone().json()) as { action: string }).action),
    ),
  );
}

const standingAs = (subscription: Partial<Subscription>) =>
  answering('get_subscription', () =>
    answer({
      subscription: { isSubScribe: true, isGranted: false, planId: '1', name: 'Monthly', price: 399, ...subscription },
    }),
  );

const button = (name: string) => screen.findByRole('button', { name });
const heading = (name: string) => screen.findByRole('heading', { name });

const MONTHLY = { planId: '1', name: 'Monthly', price: 399, currency: 'usd', isPopularChoice: false };

/** Goes through the steps up to the card. */
async function toTheCard(plan = 'Yearly') {
  const app = renderWithMockServer('/app/pro');
  await app.user.click(await button('Next'));
  await app.user.click(await button(`Select ${plan}`));
  await heading('Almost There');
  return app;
}

/** Pays with one of the stand-in's cards. */
async function payWith({ user }: Pick<ReturnType<typeof renderWithMockServer>, 'user'>, number: string) {
  await user.click(await screen.findByRole('button', { name: number }));
  await user.click(await button('SUBSCRIBE'));
}

const PAID = '4242 4242 4242 4242';
const DECLINED = '4000 0000 0000 0002';
const ASKS = '4000 0025 0000 3155';
const BANK_ACCOUNT = 'DE89 3704 0044 0532 0130 00';

/** Ada has paid for a plan before she opens the page. */
function asMember(path: string, planId = '1', card = PAID) {
  const app = renderWithMockServer(path);
  const { userId } = app.mock.user;
  const secret = app.mock.billing.begin(userId, planId);
  const { id } = app.mock.billing.confirm(secret, card.replaceAll(' ', ''));
  app.mock.billing.authenticate(secret, true);
  app.mock.billing.subscribe(userId, id, planId);
  return app;
}

describe('/app/pro', () => {
  it('invites users who are not Pro to become members', async () => {
    renderWithMockServer('/app/pro');
    expect(await screen.findByRole('heading', { name: 'Become a Member', level: 1 })).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Back to Home' })).toHaveAttribute('href', '/app/home');
  });

  it('welcomes Pro users back', async () => {
    asMember('/app/pro');
    expect(await screen.findByRole('heading', { name: 'Welcome back ada', level: 1 })).toBeInTheDocument();
  });

  it('sends visitors to the sign-in, and stores the page they wanted', async () => {
    const { at } = renderWithMockServer('/app/pro', { asVisitor: true });
    await heading('Welcome back');
    expect(at()).toBe('/login');
    expect(localStorage.getItem('intendedUrl')).toBe('/app/pro');
  });

  it('requires an account from guests first', async () => {
    const { mock } = renderWithMockServer('/app/pro', { asVisitor: true });
    mock.addGuest();
    expect(await heading('Create an account first')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Create Account' })).toHaveAttribute('href', '/register');
  });

  it('shows when payments are not set up, and sends the provider no requests', async () => {
    const keys = vi.fn();
    renderWithMockServer('/app/pro?step=step_three&plan=1');
    answering('get_plans', () => answer({ plans: [MONTHLY], configured: false }));
    answering('get_stripekey', keys);
    answering('create_subscription_iten', keys);
    expect(await screen.findByText(/^Payments are not set up on this server/)).toBeInTheDocument();
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent(/^Morpion Pro$/);
    expect(screen.queryByRole('button', { name: 'Next' })).not.toBeInTheDocument();
    expect(keys).not.toHaveBeenCalled();
  });

  it('never invites where payments are off, not even while that is loading', async () => {
    const seen: string[] = [];
    const observer = new MutationObserver(() => seen.push(document.title, document.body.textContent));
    observer.observe(document, { subtree: true, childList: true, characterData: true });
    onTestFinished(() => observer.disconnect());
    renderWithMockServer('/app/pro');
    answering('get_plans', () => answer({ plans: [], configured: false }));
    expect(await heading('Free plan')).toBeInTheDocument();
    expect(seen.join()).toContain('Morpion Pro · Morpion');
    expect(seen.join()).not.toContain('Become a Member');
  });

  it('shows when the plan cannot be loaded, and can be retried', async () => {
    const { user } = renderWithMockServer('/app/pro');
    let isAway = true;
    answering('get_plans', () => (isAway ? failure(503) : answer({ plans: [], configured: false })));
    expect(await screen.findByText('GET request failed')).toBeInTheDocument();
    isAway = false;
    await user.click(await button('Try again'));
    expect(await heading('Free plan')).toBeInTheDocument();
  });

  it.each(['/app/pro', '/app/pro?step=step_two', '/app/pro?step=step_three&plan=1'])(
    '%s has no accessibility violations',
    async (path) => {
      renderWithMockServer(path);
      await screen.findByRole('heading', { level: 2 });
      await expectAccessible();
    },
  );
});

describe('a price', () => {
  it.each([
    [399, 'usd', '$3.99'],
    [3500, 'usd', '$35.00'],
    [1800, 'eur', '€18.00'],
    [500, 'jpy', '¥500'],
  ])('of %s %s is %s', (price, currency, text) => {
    expect(priceText(price, currency)).toBe(text);
  });
});

describe('step one', () => {
  it('lists the benefits, and Next continues', async () => {
    const { user, router } = renderWithMockServer('/app/pro');
    const list = within(await screen.findByRole('list', { name: 'Benefits' }));
    expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Unlimited tournament access per month',
      'Cancel anytime',
    ]);
    expect(screen.getByText(/from \$3\.99\/month/)).toBeInTheDocument();
    await user.click(await button('Next'));
    expect(await heading('Select a Plan')).toHaveFocus();
    expect(router.state.location.search).toBe('?step=step_two');
  });
});

describe('step two', () => {
  it('shows each plan with price, name, badge and highlight', async () => {
    renderWithMockServer('/app/pro?step=step_two');
    await heading('Select a Plan');
    const plans = within(screen.getByRole('list', { name: 'Plans' })).getAllByRole('listitem');
    expect(plans.map(({ textContent }) => textContent)).toEqual([
      '$3.99/MonthlySelect',
      'Save 25%$18.00/6 MonthsSelect',
      'Popular choiceSave 27%$35.00/YearlySelect',
    ]);
    expect(plans.map(({ dataset }) => dataset.popular)).toEqual([undefined, undefined, 'true']);
  });

  it('leads back to step one, and step three leads back to step two', async () => {
    const { user, router } = renderWithMockServer('/app/pro?step=step_two');
    await user.click(await button('Select Monthly'));
    expect(await heading('Almost There')).toHaveFocus();
    expect(router.state.location.search).toBe('?step=step_three&plan=1');
    await user.click(await button('Back to the plans'));
    expect(await heading('Select a Plan')).toHaveFocus();
    await user.click(await button('Back to the benefits'));
    expect(await heading('Morpion Pro')).toHaveFocus();
  });

  it('is shown for a plan that does not exist', async () => {
    renderWithMockServer('/app/pro?step=step_three&plan=99');
    expect(await heading('Select a Plan')).toBeInTheDocument();
  });
});

describe('step three', () => {
  it('goes from Setting up payment... through SUBSCRIBE and Subscribing... to Subscription Complete, and to Home', async () => {
    useFakeTimers();
    let setUp = () => {};
    const app = renderWithMockServer('/app/pro?step=step_three&plan=3');
    answering('get_stripekey', () => new Promise<undefined>((resolve) => (setUp = () => resolve(undefined))));
    let report = () => {};
    expect(await screen.findByText('Setting up payment...')).toBeInTheDocument();
    expect(screen.getByText(/^Yearly, \$35\.00\./)).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'SUBSCRIBE' })).not.toBeInTheDocument();
    setUp();
    const subscribe = await button('SUBSCRIBE');
    await waitFor(() => expect(subscribe).toBeEnabled());
    answering('subscribe', () => new Promise<undefined>((resolve) => (report = () => resolve(undefined))));
    await payWith(app, PAID);
    expect(await button('Subscribing...')).toBeDisabled();
    await waitFor(() => {
      report();
      expect(screen.getByRole('button', { name: 'Subscription Complete' })).toBeDisabled();
    });
    expect(app.mock.user.isProUser).toBe(true);
    expect(await screen.findByRole('heading', { name: 'Welcome back ada' })).toBeInTheDocument();
    expect(celebrate).toHaveBeenCalledOnce();
    expect(CONFETTI_MS).toBe(5_000);
    expect(REDIRECT_MS).toBe(3_000);
    expect(app.at()).toBe('/app/pro');
    await passTime(REDIRECT_MS);
    await waitFor(() => expect(app.at()).toBe('/app/home'));
    expect(await heading('Welcome, ada!')).toBeInTheDocument();
    expect(screen.queryByRole('link', { name: 'Upgrade to Pro' })).not.toBeInTheDocument();
  });

  it('shows the provider’s message under the form, and accepts another card', async () => {
    const app = await toTheCard();
    await payWith(app, DECLINED);
    expect(await screen.findByText('Your card was declined.')).toBeInTheDocument();
    expect(await button('SUBSCRIBE')).toBeEnabled();
    await payWith(app, PAID);
    expect(await button('Subscription Complete')).toBeInTheDocument();
    expect(screen.queryByText('Your card was declined.')).not.toBeInTheDocument();
  });

  it('refuses an incomplete card', async () => {
    const { user } = await toTheCard();
    await user.type(await screen.findByLabelText('Card number'), '4242');
    await user.click(await button('SUBSCRIBE'));
    expect(await screen.findByText('Your card number is incomplete.')).toBeInTheDocument();
    await user.type(screen.getByLabelText('Card number'), '424242424242');
    await user.click(await button('SUBSCRIBE'));
    expect(await screen.findByText('Your card’s expiration date is incomplete.')).toBeInTheDocument();
    await user.type(screen.getByLabelText('Expiration date'), '12/34');
    await user.click(await button('SUBSCRIBE'));
    expect(await screen.findByText('Your card’s security code is incomplete.')).toBeInTheDocument();
    await user.type(screen.getByLabelText('Security code'), '123');
    await user.click(await button('SUBSCRIBE'));
    expect(await button('Subscription Complete')).toBeInTheDocument();
  });

  it('asks for authentication where the bank requires it', async () => {
    const app = await toTheCard('Monthly');
    await payWith(app, ASKS);
    const dialog = within(await screen.findByRole('dialog', { name: 'Is it you?' }));
    await app.user.click(dialog.getByRole('button', { name: 'Fail' }));
    expect(await screen.findByText(/^We are unable to authenticate your payment method/)).toBeInTheDocument();
    await app.user.click(await button('SUBSCRIBE'));
    await app.user.click(await button('Complete authentication'));
    expect(await button('Subscription Complete')).toBeInTheDocument();
    expect(app.mock.billing.subscriptionOf(app.mock.user.userId)).toMatchObject({ planId: '1' });
  });

  it('shows Payment method not found when none is returned', async () => {
    const app = await toTheCard();
    server.use(
      http.post('*/stand-in/v1/payment_intents/:id/confirm', ({ params }) =>
        HttpResponse.json({ id: params.id, status: 'succeeded', payment_method: null }),
      ),
    );
    await payWith(app, PAID);
    expect(await screen.findByText('Payment method not found')).toBeInTheDocument();
    expect(celebrate).not.toHaveBeenCalled();
  });

  it.each([
    [{ errorMessage: 'The payment is not known.' }, 'The payment is not known.'],
    [{}, 'POST request failed'],
  ])('shows why the payment could not be reported: %o', async (body, text) => {
    const app = await toTheCard();
    answering('subscribe', () => failure(402, body));
    await payWith(app, PAID);
    expect(await screen.findByText(text)).toBeInTheDocument();
    expect(await button('SUBSCRIBE')).toBeEnabled();
    expect(app.at()).toBe('/app/pro');
  });

  it('pays once, although the server was unreachable when the payment was reported', async () => {
    const app = await toTheCard();
    let isAway = true;
    answering('subscribe', () => (isAway ? failure(503) : undefined));
    await payWith(app, PAID);
    expect(await screen.findByText('POST request failed')).toBeInTheDocument();
    // The provider refuses a second payment, and its error shows that there was one.
    const charges = vi.fn();
    server.use(
      http.post('*/stand-in/v1/payment_intents/:id/confirm', async ({ request }) => {
        charges();
        const secret = new URLSearchParams(await request.text()).get('client_secret') ?? '';
        const intent = app.mock.billing.confirm(secret, '4242424242424242');
        const error = { code: 'payment_intent_unexpected_state', message: 'Paid already.', payment_intent: intent };
        return HttpResponse.json({ error }, { status: 400 });
      }),
    );
    isAway = false;
    await app.user.click(await button('SUBSCRIBE'));
    expect(await button('Subscription Complete')).toBeInTheDocument();
    expect(charges).toHaveBeenCalledOnce();
    expect(app.mock.billing.invoicesOf(app.mock.user.userId)).toHaveLength(1);
  });

  it('says why the payment cannot be set up, and tries again', async () => {
    let isAway = true;
    const { user } = renderWithMockServer('/app/pro?step=step_three&plan=1');
    answering('create_subscription_iten', () => (isAway ? failure(503, { errorMessage: 'Not now.' }) : undefined));
    expect(await screen.findByText('Not now.')).toBeInTheDocument();
    expect(screen.queryByText('Setting up payment...')).not.toBeInTheDocument();
    isAway = false;
    await user.click(await button('Try again'));
    expect(await button('SUBSCRIBE')).toBeInTheDocument();
  });

  it('leads to the verification of the email where that is needed for a card', async () => {
    const { mock, user, at } = renderWithMockServer('/app/pro?step=step_three&plan=1');
    mock.billing.requiresVerifiedEmail = true;
    expect(await screen.findByText('Please verify your email first.')).toBeInTheDocument();
    await user.click(screen.getByRole('link', { name: 'Verify email' }));
    await waitFor(() => expect(at()).toBe('/app/setting/security'));
  });
});

describe('a purchase that is already complete', () => {
  it('shows the current plan', async () => {
    const { mock } = renderWithMockServer('/app/pro?step=step_three&plan=1');
    answering('create_subscription_iten', () => {
      mock.billing.grant(mock.user.userId, 'In another tab.');
      return failure(409, { errorCode: 'already-subscribed', errorMessage: 'You have a subscription already.' });
    });
    expect(await screen.findByText('Pro member')).toBeInTheDocument();
    expect(screen.getByRole('heading', { name: 'Welcome back ada' })).toBeInTheDocument();
  });
});

describe('a payment that takes days', () => {
  it('is not a failure: the page shows that it is being processed, until it has arrived', async () => {
    const app = await toTheCard('Monthly');
    await payWith(app, BANK_ACCOUNT);
    expect(await screen.findByText(/^Your payment is being processed… Pro starts when it is complete\./)).toBeVisible();
    expect(screen.getByText('/Monthly').parentElement).toHaveTextContent('$3.99/Monthly');
    expect(await screen.findByText('SEPA debit •••• 3000')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'SUBSCRIBE' })).not.toBeInTheDocument();
    expect(celebrate).not.toHaveBeenCalled();
    expect(app.mock.user.isProUser).toBe(false);
    await expectAccessible();
    app.mock.billing.arrive(app.mock.user.userId);
    act(() => void app.store.dispatch(subscriptionApi.util.invalidateTags(['Subscription'])));
    expect(await screen.findByText('Pro member')).toBeInTheDocument();
    expect(screen.getByRole('heading', { name: 'Welcome back ada' })).toBeInTheDocument();
  });

  it('that does not arrive leads back to the plans, with the reason', async () => {
    const app = await toTheCard('Monthly');
    await payWith(app, BANK_ACCOUNT);
    await screen.findByText(/^Your payment is being processed…/);
    app.mock.billing.arrive(app.mock.user.userId, false);
    act(() => void app.store.dispatch(subscriptionApi.util.invalidateTags(['Subscription'])));
    expect(await screen.findByText(/^Your bank declined the payment\./)).toBeInTheDocument();
    expect(await heading('Almost There')).toBeInTheDocument();
    await payWith(app, PAID);
    expect(await button('Subscription Complete')).toBeInTheDocument();
  });

  it('is polled without a reload', async () => {
    const asked = vi.fn();
    renderWithMockServer('/app/setting/subscription');
    answering('get_subscription', () => {
      asked();
      return answer({
        subscription: {
          isSubScribe: asked.mock.calls.length > 1,
          isGranted: false,
          isProcessing: true,
          name: 'Monthly',
        },
      });
    });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval'], shouldAdvanceTime: true });
    expect(await heading('Almost Pro')).toBeInTheDocument();
    await act(() => vi.advanceTimersByTimeAsync(FOLLOW_MS));
    vi.useRealTimers();
    expect(await screen.findByText('Pro member')).toBeInTheDocument();
  });

  it('as a renewal keeps the plan active, and is not a failure', async () => {
    renderWithMockServer('/app/setting/subscription');
    standingAs({ isProcessing: true });
    expect(await screen.findByText(/^Your payment is being processed… Your plan continues meanwhile\./)).toBeVisible();
    expect(screen.queryByRole('heading', { name: 'Change plan' })).not.toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Cancel Plan' })).toBeInTheDocument();
  });

  it('and was started in another tab shows its state', async () => {
    const { mock } = renderWithMockServer('/app/pro?step=step_three&plan=1');
    const { userId } = mock.user;
    const { id } = mock.billing.confirm(mock.billing.begin(userId, '1'), BANK_ACCOUNT.replaceAll(' ', ''));
    answering('create_subscription_iten', () => {
      mock.billing.subscribe(userId, id, '1');
      return undefined;
    });
    expect(await heading('Almost Pro')).toBeInTheDocument();
  });
});

describe('payment methods', () => {
  const kept = async () => {
    const list = within(await screen.findByRole('list', { name: 'Payment methods' }));
    return list.getAllByRole('listitem').map((item) => within(item).getByRole('paragraph').textContent);
  };
  /** Fills the form that is open with one of the stand-in's cards, and saves. */
  async function save({ user }: Pick<ReturnType<typeof renderWithMockServer>, 'user'>, number: string) {
    await user.click(await screen.findByRole('button', { name: number }));
    await waitFor(() => expect(screen.getByRole('button', { name: 'Save' })).toBeEnabled());
    await user.click(screen.getByRole('button', { name: 'Save' }));
  }

  it('are added, and pay for the plan from then on', async () => {
    const app = asMember('/app/pro');
    await app.user.click(await button('Add Payment Method'));
    expect(await heading('Add a payment method')).toHaveFocus();
    expect(screen.getByRole('checkbox', { name: 'Use it for my plan from now on' })).toBeChecked();
    await expectAccessible();
    await save(app, ASKS);
    await app.user.click(await button('Complete authentication'));
    expect(await screen.findByText('Payment method added.')).toBeInTheDocument();
    await waitFor(async () =>
      expect(await kept()).toEqual(['Visa •••• 4242Expires 12/2034', 'Visa •••• 3155Expires 12/2034Default']),
    );
    expect(screen.queryByRole('button', { name: 'Save' })).not.toBeInTheDocument();
  });

  it('are added beside the one that pays, and can be made the default later', async () => {
    const app = asMember('/app/pro');
    await app.user.click(await button('Add Payment Method'));
    await app.user.click(await screen.findByRole('checkbox', { name: 'Use it for my plan from now on' }));
    await save(app, BANK_ACCOUNT);
    await app.user.click(await button('Make SEPA debit •••• 3000 the default'));
    expect(await screen.findByText('SEPA debit •••• 3000 is the default now.')).toBeInTheDocument();
    await waitFor(async () =>
      expect(await kept()).toEqual(['Visa •••• 4242Expires 12/2034', 'SEPA debit •••• 3000Default']),
    );
    await app.user.click(await button('Remove SEPA debit •••• 3000'));
    await app.user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Remove' }));
    expect(await screen.findByText(/Make another one the default first, or cancel the plan\.$/)).toBeInTheDocument();
  });

  it('are replaced: the new one pays, and the old one is removed', async () => {
    const app = asMember('/app/pro');
    await app.user.click(await button('Replace Visa •••• 4242'));
    expect(await heading('Replace Visa •••• 4242')).toHaveFocus();
    expect(screen.queryByRole('checkbox')).not.toBeInTheDocument();
    await save(app, BANK_ACCOUNT);
    expect(await screen.findByText('Payment method replaced.')).toBeInTheDocument();
    await waitFor(async () => expect(await kept()).toEqual(['SEPA debit •••• 3000Default']));
  });

  it('that are refused show the reason, and the form can be used again or cancelled', async () => {
    const app = asMember('/app/pro');
    await app.user.click(await button('Add Payment Method'));
    await save(app, DECLINED);
    expect(await screen.findByText('Your card was declined.')).toBeInTheDocument();
    await save(app, ASKS);
    await app.user.click(await button('Fail'));
    expect(await screen.findByText(/^We are unable to authenticate your payment method/)).toBeInTheDocument();
    await app.user.click(await button('Cancel'));
    expect(await kept()).toEqual(['Visa •••• 4242Expires 12/2034Default']);
  });

  it('that cannot be set up show an error, and can be retried', async () => {
    const app = asMember('/app/pro');
    const text = 'You keep 10 payment methods already. Remove one first.';
    let isFull = true;
    answering('create_setup_intent', () =>
      isFull ? failure(409, { errorCode: 'too-many-cards', errorMessage: text }) : undefined,
    );
    await app.user.click(await button('Add Payment Method'));
    expect(await screen.findByText(text)).toBeInTheDocument();
    isFull = false;
    await app.user.click(await button('Try again'));
    await save(app, PAID);
    expect(await screen.findByText('Payment method added.')).toBeInTheDocument();
  });

  it('are reported after a return from the bank', async () => {
    const reported = vi.fn();
    const app = asMember('/app/setting/subscription?setup_intent=seti_1&redirect_status=succeeded');
    answering('add_payment_method', () => {
      reported();
      return answer({ paymentMethods: [] });
    });
    expect(await screen.findByText('Payment method added.')).toBeInTheDocument();
    await waitFor(() => expect(app.router.state.location.search).toBe(''));
    expect(reported).toHaveBeenCalledOnce();
  });
});

describe('a former subscription', () => {
  it('is shown to users on the free plan, with the stored cards', async () => {
    renderWithMockServer('/app/pro');
    answering('list_invoices', () =>
      answer({
        invoices: [
          { invoiceId: 'in_1', amount: 399, currency: 'usd', status: 'paid', createdAt: '2026-01-01T10:00:00Z' },
        ],
        pagination: { currentPage: 1, limit: 1, totalCount: 1, hasPrevPage: false, hasNextPage: false },
      }),
    );
    expect(await heading('Invoices')).toBeInTheDocument();
    expect(screen.getByRole('heading', { name: 'Payment methods' })).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Next' })).toBeInTheDocument();
  });
});

describe('a member', () => {
  it('sees their plan, its price and when it renews', async () => {
    const { mock } = asMember('/app/setting/subscription', '3');
    expect(await screen.findByText('Pro member')).toBeInTheDocument();
    expect(screen.getByRole('heading', { name: 'Hello ada!' })).toBeInTheDocument();
    const member = within(screen.getByRole('region', { name: 'Hello ada!' }));
    expect(member.getByText('/Yearly').parentElement).toHaveTextContent('$35.00/Yearly');
    const { nextPaymentDate = '' } = mock.billing.subscriptionOf(mock.user.userId);
    const renewal = new Intl.DateTimeFormat(undefined, { dateStyle: 'long' }).format(new Date(nextPaymentDate));
    expect(member.getByText(`Your plan renews on ${renewal}.`)).toBeInTheDocument();
    await expectAccessible();
  });

  it('without a name is a Champion', async () => {
    asMember('/app/pro');
    server.use(
      http.get('*/api/auth/check-login', () =>
        answer({ isLogIn: true, user: { userId: 'u', username: '', isProUser: true, isTempUser: false } }),
      ),
    );
    standingAs({});
    expect(await heading('Hello Champion!')).toBeInTheDocument();
  });

  it('sees no price where the server sends none', async () => {
    renderWithMockServer('/app/pro');
    answering('get_subscription', () =>
      answer({ subscription: { isSubScribe: true, isGranted: false, planId: '1', name: 'Monthly' } }),
    );
    const member = within(await screen.findByRole('region', { name: 'Hello ada!' }));
    expect(member.getByText('Monthly')).toBeInTheDocument();
    expect(member.queryByText(/\$/)).not.toBeInTheDocument();
  });

  it('cancels after a confirmation, and the page reloads', async () => {
    const reload = vi.spyOn(page, 'reload').mockImplementation(() => undefined);
    const { user, mock } = asMember('/app/setting/subscription');
    await user.click(await button('Cancel Plan'));
    const dialog = within(await screen.findByRole('dialog', { name: 'Cancel Plan' }));
    expect(dialog.getByRole('button', { name: 'Keep Plan' })).toHaveFocus();
    expect(reload).not.toHaveBeenCalled();
    await user.click(dialog.getByRole('button', { name: 'Cancel Plan' }));
    await waitFor(() => expect(reload).toHaveBeenCalledOnce());
    expect(mock.billing.subscriptionOf(mock.user.userId)).toHaveProperty('endsAt');
  });

  it('is told when cancelling fails', async () => {
    const reload = vi.spyOn(page, 'reload').mockImplementation(() => undefined);
    const { user } = asMember('/app/setting/subscription');
    answering('cancel_subscription', () => failure(503, { errorMessage: 'Not now.' }));
    await user.click(await button('Cancel Plan'));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Cancel Plan' }));
    expect(await screen.findByText('Your plan continues. Not now.')).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(reload).not.toHaveBeenCalled();
  });

  it('who has cancelled sees the end, and can resume the plan', async () => {
    const { user, mock } = asMember('/app/pro');
    mock.billing.cancel(mock.user.userId);
    expect(await screen.findByText(/^Your plan is cancelled: Pro lasts until /)).toBeInTheDocument();
    expect(screen.queryByRole('heading', { name: 'Change plan' })).not.toBeInTheDocument();
    await user.click(await button('Resume Plan'));
    expect(await screen.findByText('Your plan continues.')).toBeInTheDocument();
    expect(await screen.findByText(/^Your plan renews on /)).toBeInTheDocument();
  });

  it('changes to another plan after a confirmation', async () => {
    const { user } = asMember('/app/pro');
    const others = within(await screen.findByRole('list', { name: 'Other plans' })).getAllByRole('listitem');
    expect(others.map(({ textContent }) => textContent)).toEqual([
      '$18.00/6 MonthsSave 25%Change',
      '$35.00/YearlySave 27%Change',
    ]);
    await user.click(await button('Change to Yearly'));
    const dialog = within(await screen.findByRole('dialog', { name: 'Change to Yearly' }));
    expect(dialog.getByText(/the difference is charged/)).toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'Change Plan' }));
    expect(await screen.findByText('Your plan is Yearly now.')).toBeInTheDocument();
    expect(await screen.findByText('/Yearly')).toBeInTheDocument();
  });

  it('is asked by their bank before the plan changes, where it requires that', async () => {
    const { user, mock } = asMember('/app/pro', '1', ASKS);
    const change = async () => {
      await user.click(await button('Change to Yearly'));
      await user.click(await button('Change Plan'));
      return within(await screen.findByRole('dialog', { name: 'Is it you?' }));
    };
    await user.click((await change()).getByRole('button', { name: 'Fail' }));
    const text = /The payment was not confirmed\. Your plan stays as it was, and nothing was charged\.$/;
    expect(await screen.findByText(text)).toBeInTheDocument();
    expect(mock.billing.subscriptionOf(mock.user.userId)).toMatchObject({ planId: '1' });
    expect(mock.billing.invoicesOf(mock.user.userId)).toHaveLength(1);
    await user.click((await change()).getByRole('button', { name: 'Complete authentication' }));
    expect(await screen.findByText('Your plan is Yearly now.')).toBeInTheDocument();
    expect(screen.queryByText(text)).not.toBeInTheDocument();
    expect(await screen.findByText('/Yearly')).toBeInTheDocument();
  });

  it('sees why a change is refused', async () => {
    const { user } = asMember('/app/pro');
    answering('change_plan', () => failure(402, { errorMessage: 'Your card was declined.' }));
    await user.click(await button('Change to Yearly'));
    await user.click(await button('Change Plan'));
    expect(await screen.findByText('Your card was declined.')).toBeInTheDocument();
  });

  it('sees the stored cards, and can remove one', async () => {
    const { user, mock } = asMember('/app/pro');
    const cards = within(await screen.findByRole('list', { name: 'Payment methods' }));
    expect(cards.getByText('Visa •••• 4242')).toBeInTheDocument();
    expect(cards.getByText('Expires 12/2034')).toBeInTheDocument();
    const remove = async () => {
      await user.click(await button('Remove Visa •••• 4242'));
      const dialog = within(await screen.findByRole('dialog', { name: 'Remove this payment method' }));
      await user.click(dialog.getByRole('button', { name: 'Remove' }));
    };
    await remove();
    expect(
      await screen.findByText(/^Your plan needs a payment method, and this is the only one\./),
    ).toBeInTheDocument();
    mock.billing.cancel(mock.user.userId);
    await remove();
    expect(await screen.findByText('You have no saved payment methods.')).toBeInTheDocument();
  });

  it('sees the invoices, with links where the provider has them', async () => {
    asMember('/app/pro');
    answering('list_invoices', () =>
      answer({
        invoices: [
          {
            invoiceId: 'in_1',
            amount: 399,
            currency: 'usd',
            status: 'paid',
            createdAt: '2026-11-21T10:00:00Z',
            url: 'https://pay.example/in_1',
          },
        ],
        pagination: { currentPage: 1, limit: 10, totalCount: 1, hasPrevPage: false, hasNextPage: false },
      }),
    );
    const invoices = within(await screen.findByRole('list', { name: 'Invoices' }));
    expect(invoices.getByText('$3.99')).toBeInTheDocument();
    expect(invoices.getByText('paid')).toBeInTheDocument();
    expect(invoices.getByRole('link', { name: /^Open the invoice of / })).toHaveAttribute(
      'href',
      'https://pay.example/in_1',
    );
  });

  it('whose renewal failed sees until when Pro lasts, and can pay manually', async () => {
    const { user } = renderWithMockServer('/app/setting/subscription');
    standingAs({ graceUntil: '2026-11-28T10:00:00Z' });
    expect(await screen.findByText(/^Your last payment failed\. Pro lasts until /)).toBeInTheDocument();
    await user.click(await button('Cancel Plan'));
    const dialog = within(await screen.findByRole('dialog', { name: 'Cancel Plan' }));
    expect(dialog.getByText(/^The current period is not paid, so Pro ends now/)).toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'Keep Plan' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    await user.click(await button('Pay Now'));
    expect(await heading('Almost There')).toBeInTheDocument();
    expect(await screen.findByLabelText('Card number')).toBeInTheDocument();
  });

  it('by grant has nothing to cancel', async () => {
    const { mock } = renderWithMockServer('/app/pro');
    mock.billing.grant(mock.user.userId, 'A friend.');
    expect(await screen.findByText('Pro was given to you by the operator of this server.')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Cancel Plan' })).not.toBeInTheDocument();
    expect(screen.queryByRole('heading', { name: 'Invoices' })).not.toBeInTheDocument();
  });
});

describe('the rest of the app', () => {
  it('offers no purchase where payments are off', async () => {
    renderWithMockServer('/app/home');
    const off = { plans: [], configured: false, benefits: [], freeEventsPerMonth: 3 };
    server.use(...actions('subscription', { get_plans: () => answer(off) }).handlers);
    await heading('Welcome, ada!');
    await screen.findByText('No game under way.');
    expect(screen.queryByRole('link', { name: 'Upgrade to Pro' })).not.toBeInTheDocument();
  });

  it('offers to upgrade on Home, with a link to /app/pro', async () => {
    const { user, at } = renderWithMockServer('/app/home');
    const link = await screen.findByRole('link', { name: 'Upgrade to Pro' });
    expect(screen.queryByText('Pro')).not.toBeInTheDocument();
    await user.click(link);
    await waitFor(() => expect(at()).toBe('/app/pro'));
  });

  it('shows Pro users a badge, and no offer', async () => {
    asMember('/app/home');
    expect(await screen.findByText('Pro')).toBeInTheDocument();
    expect(screen.queryByRole('link', { name: 'Upgrade to Pro' })).not.toBeInTheDocument();
  });
});
