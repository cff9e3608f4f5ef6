import type { Stripe } from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';
import { log } from '@/shared/log';

export const NOT_LOADED = 'The payment form could not be loaded. Check your connection and try again.';

/** Stripe's script, loaded with the first form and reused; null if it cannot be loaded. */
const loaded = new Map<string, Promise<Stripe | null>>();

export function stripeFor(publishableKey: string): Promise<Stripe | null> {
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
