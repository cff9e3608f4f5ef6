import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js';
import type { PaymentIntent, Stripe } from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';
import { useEffect, useEffectEvent, useImperativeHandle, useMemo } from 'react';
import { useSelector } from 'react-redux';
import { log } from '@/shared/log';
import { selectThemeMode } from '@/shared/theme/themeSlice';
import { appearanceOf } from './appearance';
import type { Outcome, PaymentFormProps } from './form';

const NOT_LOADED = 'The payment form could not be loaded. Check your connection and try again.';
const NOT_PAID = 'Your payment did not go through. Please try again.';

/** Stripe's own script, fetched when the first form is shown and kept for the next; null if it cannot be had. */
const loaded = new Map<string, Promise<Stripe | null>>();

function stripeFor(publishableKey: string): Promise<Stripe | null> {
  const known = loaded.get(publishableKey);
  if (known !== undefined) return known;
  const loading = loadStripe(publishableKey).catch((error: unknown) => {
    log.warn('Stripe.js could not be loaded', error);
    loaded.delete(publishableKey);
    return null;
  });
  loaded.set(publishableKey, loading);
  return loading;
}

/** Stripe's Payment Element, in the theme of the page. */
export default function StripeForm({ publishableKey, clientSecret, onFailure, ...fields }: PaymentFormProps) {
  const mode = useSelector(selectThemeMode);
  const stripe = useMemo(() => stripeFor(publishableKey), [publishableKey]);
  const options = useMemo(() => ({ clientSecret, appearance: appearanceOf(mode) }), [clientSecret, mode]);
  const failed = useEffectEvent(() => onFailure(NOT_LOADED));
  useEffect(() => {
    let isShown = true;
    void stripe.then((it) => {
      if (it === null && isShown) failed();
    });
    return () => {
      isShown = false;
    };
  }, [stripe]);
  return (
    <Elements stripe={stripe} options={options}>
      <Fields clientSecret={clientSecret} onFailure={onFailure} {...fields} />
    </Elements>
  );
}

function Fields({ ref, clientSecret, onReady, onFailure }: Omit<PaymentFormProps, 'publishableKey'>) {
  const stripe = useStripe();
  const elements = useElements();
  useImperativeHandle(
    ref,
    () => ({
      async confirm() {
        if (stripe === null || elements === null) return { failure: NOT_LOADED };
        // Whoever comes back from their bank, or tries again after our server was away, has paid already.
        const before = await stripe.retrievePaymentIntent(clientSecret);
        if (before.paymentIntent?.status === 'succeeded') return outcomeOf(before.paymentIntent);
        const { error: invalid } = await elements.submit();
        if (invalid !== undefined) return { failure: invalid.message ?? NOT_PAID };
        const { error, paymentIntent } = await stripe.confirmPayment({
          elements,
          clientSecret,
          confirmParams: { return_url: window.location.href },
          redirect: 'if_required',
        });
        return error === undefined ? outcomeOf(paymentIntent) : { failure: error.message ?? NOT_PAID };
      },
    }),
    [stripe, elements, clientSecret],
  );
  return (
    <PaymentElement
      options={{ layout: 'tabs' }}
      onReady={onReady}
      onLoadError={({ error }) => onFailure(error.message ?? NOT_LOADED)}
    />
  );
}

function outcomeOf({ id, status, payment_method: method, last_payment_error: problem }: PaymentIntent): Outcome {
  if (status !== 'succeeded') return { failure: problem?.message ?? NOT_PAID };
  return { paymentIntentId: id, paymentMethodId: typeof method === 'string' ? method : (method?.id ?? null) };
}
