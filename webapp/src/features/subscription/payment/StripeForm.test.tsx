import type { PaymentElementProps } from '@stripe/react-stripe-js';
import { act, screen, waitFor } from '@testing-library/react';
import { http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { themeChosen } from '@/shared/theme/themeSlice';
import { renderWithMockServer } from '@/testing/renderWithMockServer';
import { answer, server } from '@/testing/server';
import '../ProPage';
import './StripeForm';

// Stripe's script is served only by Stripe and draws in its own frames: this mock records the calls to it.
const stripe = vi.hoisted(() => ({
  load: vi.fn(),
  retrievePaymentIntent: vi.fn(),
  retrieveSetupIntent: vi.fn(),
  confirmPayment: vi.fn(),
  confirmSetup: vi.fn(),
  handleNextAction: vi.fn(),
  submit: vi.fn(),
  shown: { options: {} as Record<string, unknown>, element: {} as PaymentElementProps },
}));

vi.mock('@stripe/stripe-js/pure', () => ({ loadStripe: stripe.load }));
vi.mock('@stripe/react-stripe-js', () => ({
  Elements: ({ options, children }: { options: Record<string, unknown>; children: React.ReactNode }) => {
    stripe.shown.options = options;
    return children;
  },
  PaymentElement: (props: PaymentElementProps) => {
    stripe.shown.element = props;
    return <div>the provider’s fields</div>;
  },
  useStripe: () => stripe,
  useElements: () => stripe,
}));

const PATH = '/app/pro?step=step_three&plan=3';
let paidBy: (secret: string) => { id: string };

beforeEach(() => {
  vi.resetAllMocks();
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  stripe.load.mockResolvedValue(stripe);
  stripe.submit.mockResolvedValue({});
  stripe.retrievePaymentIntent.mockResolvedValue({ paymentIntent: { status: 'requires_payment_method' } });
  stripe.confirmPayment.mockImplementation(({ clientSecret }: { clientSecret: string }) =>
    Promise.resolve({ paymentIntent: paidBy(clientSecret) }),
  );
});

/** The page of a server that uses Stripe itself, at its third step. */
function open(path = PATH) {
  const app = renderWithMockServer(path);
  paidBy = (secret) => app.mock.billing.confirm(secret, '4242424242424242');
  server.use(
    http.get('*/api/backend/subscription', ({ request }) =>
      new URL(request.url).searchParams.get('action') === 'get_stripekey'
        ? answer({ PUBLISHABLE_SECRET_KEY: `pk_test_${path.length}_${Math.random()}` })
        : undefined,
    ),
  );
  return app;
}

async function becomeReady() {
  await screen.findByText('the provider’s fields');
  expect(screen.getByRole('button', { name: 'SUBSCRIBE' })).toBeDisabled();
  act(() => stripe.shown.element.onReady?.({} as never));
  return screen.findByRole('button', { name: 'SUBSCRIBE' });
}

describe('Stripe’s form', () => {
  it('cannot be submitted until it is ready; then pays without leaving the page', async () => {
    const { user, mock } = open();
    await user.click(await becomeReady());
    expect(await screen.findByRole('button', { name: 'Subscription Complete' })).toBeInTheDocument();
    expect(stripe.confirmPayment).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({
        clientSecret: stripe.shown.options.clientSecret,
        redirect: 'if_required',
        confirmParams: { return_url: window.location.href },
      }),
    );
    expect(mock.user.isProUser).toBe(true);
  });

  it('is drawn in the colours of the theme', async () => {
    document.documentElement.style.setProperty('--accent', '#e8a317');
    const { store } = open();
    await screen.findByText('the provider’s fields');
    expect(stripe.shown.options.appearance).toMatchObject({ theme: 'stripe', variables: { colorPrimary: '#e8a317' } });
    act(() => void store.dispatch(themeChosen('dark')));
    expect(stripe.shown.options.appearance).toMatchObject({ theme: 'night' });
  });

  it.each([
    ['Your card was declined.', { error: { message: 'Your card was declined.' } }],
    ['Your payment did not go through. Please try again.', { error: {} }],
    [
      'Insufficient funds.',
      { paymentIntent: { id: 'pi', status: 'canceled', last_payment_error: { message: 'Insufficient funds.' } } },
    ],
    ['Payment method not found', { paymentIntent: { id: 'pi', status: 'succeeded', payment_method: null } }],
  ])('shows %s', async (text, result) => {
    stripe.confirmPayment.mockResolvedValue(result);
    const { user, mock } = open();
    await user.click(await becomeReady());
    expect(await screen.findByText(text)).toBeInTheDocument();
    expect(mock.user.isProUser).toBe(false);
  });

  it('sends nothing while the form is incomplete', async () => {
    stripe.submit.mockResolvedValue({ error: { message: 'Your card number is incomplete.' } });
    const { user } = open();
    await user.click(await becomeReady());
    expect(await screen.findByText('Your card number is incomplete.')).toBeInTheDocument();
    expect(stripe.confirmPayment).not.toHaveBeenCalled();
  });

  it('continues by itself after a return from the bank, and pays only once', async () => {
    const { mock } = renderWithMockServer('/app/home');
    const secret = mock.billing.begin(mock.user.userId, '3');
    const intent = mock.billing.confirm(secret, '4242424242424242');
    stripe.retrievePaymentIntent.mockResolvedValue({ paymentIntent: intent });
    const app = open(
      `${PATH}&payment_intent=${intent.id}&payment_intent_client_secret=${secret}&redirect_status=succeeded`,
    );
    Object.assign(app.mock, { billing: mock.billing });
    await screen.findByText('the provider’s fields');
    act(() => stripe.shown.element.onReady?.({} as never));
    await waitFor(() => expect(stripe.retrievePaymentIntent).toHaveBeenCalledWith(secret));
    expect(stripe.shown.options.clientSecret).toBe(secret);
    expect(stripe.confirmPayment).not.toHaveBeenCalled();
  });

  it('does not treat a pending payment as a failure', async () => {
    stripe.confirmPayment.mockImplementation(({ clientSecret }: { clientSecret: string }) =>
      Promise.resolve({ paymentIntent: onItsWay(clientSecret) }),
    );
    const { user, mock } = open();
    const onItsWay = (secret: string) => mock.billing.confirm(secret, 'DE89370400440532013000');
    await user.click(await becomeReady());
    expect(await screen.findByText(/^Your payment is being processed…/)).toBeInTheDocument();
    expect(mock.user.isProUser).toBe(false);
  });

  it('adds a card without a payment', async () => {
    const app = open('/app/setting/subscription');
    const { billing, user: owner } = app.mock;
    const { id } = billing.confirm(billing.begin(owner.userId, '1'), '4242424242424242');
    billing.subscribe(owner.userId, id, '1');
    stripe.retrieveSetupIntent.mockResolvedValue({ setupIntent: { status: 'requires_payment_method' } });
    stripe.confirmSetup.mockImplementation(({ clientSecret }: { clientSecret: string }) =>
      Promise.resolve({ setupIntent: billing.confirmSetup(clientSecret, '5555555555554444') }),
    );
    await app.user.click(await screen.findByRole('button', { name: 'Add Payment Method' }));
    await screen.findByText('the provider’s fields');
    act(() => stripe.shown.element.onReady?.({} as never));
    await app.user.click(await screen.findByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Visa •••• 4444')).toBeInTheDocument();
    expect(stripe.confirmSetup).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ clientSecret: stripe.shown.options.clientSecret, redirect: 'if_required' }),
    );
    expect(stripe.confirmPayment).not.toHaveBeenCalled();
  });

  it('shows why a card was not added', async () => {
    const app = open('/app/setting/subscription');
    const { billing, user: owner } = app.mock;
    const { id } = billing.confirm(billing.begin(owner.userId, '1'), '4242424242424242');
    billing.subscribe(owner.userId, id, '1');
    stripe.retrieveSetupIntent.mockResolvedValue({ setupIntent: { status: 'requires_payment_method' } });
    stripe.confirmSetup.mockResolvedValue({ error: {} });
    await app.user.click(await screen.findByRole('button', { name: 'Add Payment Method' }));
    await screen.findByText('the provider’s fields');
    act(() => stripe.shown.element.onReady?.({} as never));
    await app.user.click(await screen.findByRole('button', { name: 'Save' }));
    expect(await screen.findByText('The payment method was not added. Please try again.')).toBeInTheDocument();
  });

  it.each([
    [true, 'Your plan is Yearly now.'],
    [false, 'Not you. The payment was not confirmed. Your plan stays as it was, and nothing was charged.'],
  ])('shows the bank’s question about a change of plan, answered with %s', async (isThem, text) => {
    const app = open('/app/setting/subscription');
    const { billing, user: owner } = app.mock;
    const secret = billing.begin(owner.userId, '1');
    billing.confirm(secret, '4000002500003155');
    billing.subscribe(owner.userId, billing.authenticate(secret, true).id, '1');
    stripe.handleNextAction.mockImplementation(({ clientSecret }: { clientSecret: string }) => {
      billing.authenticate(clientSecret, isThem);
      return Promise.resolve(isThem ? {} : { error: { message: 'Not you.' } });
    });
    await app.user.click(await screen.findByRole('button', { name: 'Change to Yearly' }));
    await app.user.click(await screen.findByRole('button', { name: 'Change Plan' }));
    expect(await screen.findByText(text)).toBeInTheDocument();
    expect(stripe.handleNextAction).toHaveBeenCalledOnce();
  });

  it('shows when it cannot be loaded', async () => {
    stripe.load.mockRejectedValue(new Error('blocked'));
    open();
    const text = 'The payment form could not be loaded. Check your connection and try again.';
    expect(await screen.findByText(text)).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'SUBSCRIBE' })).toBeDisabled();
  });
});
