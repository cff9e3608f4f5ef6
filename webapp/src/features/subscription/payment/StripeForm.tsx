import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js';
import { useEffect, useEffectEvent, useImperativeHandle, useMemo } from 'react';
import { selectThemeMode } from '@/shared/theme/themeSlice';
import { appearanceOf } from './appearance';
import { isSetup, isAccepted, NOT_ADDED, NOT_PAID, outcomeOf, type PaymentFormProps } from './form';
import { NOT_LOADED, stripeFor } from './stripe';
import { useAppSelector } from '@/shared/storeHooks';

/** Stripe's Payment Element, in the theme of the page. */
export default function StripeForm({ publishableKey, clientSecret, onFailure, ...fields }: PaymentFormProps) {
  const mode = useAppSelector(selectThemeMode);
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
        const otherwise = isSetup(clientSecret) ? NOT_ADDED : NOT_PAID;
        // After a bank's redirect, or a retry after a server failure, the payment has already succeeded.
        const before = isSetup(clientSecret)
          ? (await stripe.retrieveSetupIntent(clientSecret)).setupIntent
          : (await stripe.retrievePaymentIntent(clientSecret)).paymentIntent;
        if (before !== undefined && isAccepted(before.status)) return outcomeOf(before);
        const { error: invalid } = await elements.submit();
        if (invalid !== undefined) return { failure: invalid.message ?? otherwise };
        const options = {
          elements,
          clientSecret,
          confirmParams: { return_url: window.location.href },
          redirect: 'if_required',
        } as const;
        if (isSetup(clientSecret)) {
          const { error, setupIntent } = await stripe.confirmSetup(options);
          return error === undefined ? outcomeOf(setupIntent) : { failure: error.message ?? otherwise };
        }
        const { error, paymentIntent } = await stripe.confirmPayment(options);
        return error === undefined ? outcomeOf(paymentIntent) : { failure: error.message ?? otherwise };
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
