import { useEffect, useEffectEvent, useRef } from 'react';
import { NOT_PAID } from './form';
import type { ChallengeProps } from './challenge';
import { NOT_LOADED, stripeFor } from './stripe';

/** The bank challenge in Stripe's own window. */
export default function StripeChallenge({ publishableKey, clientSecret, onAnswered }: ChallengeProps) {
  const answered = useEffectEvent(onAnswered);
  const isAsked = useRef(false);
  useEffect(() => {
    if (isAsked.current) return;
    isAsked.current = true;
    const ask = async (): Promise<string | null> => {
      const stripe = await stripeFor(publishableKey);
      if (stripe === null) return NOT_LOADED;
      const { error } = await stripe.handleNextAction({ clientSecret });
      return error === undefined ? null : (error.message ?? NOT_PAID);
    };
    void ask().then(answered);
  }, [publishableKey, clientSecret]);
  return <p role="status">Waiting for your bank’s confirmation...</p>;
}
