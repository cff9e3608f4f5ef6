import { Suspense } from 'react';
import { lazyPart } from '@/shared/ui/lazyPart';
import type { PaymentKey } from '@/api/subscription';
import type { ChallengeProps } from './challenge';

const StripeChallenge = lazyPart(() => import('./StripeChallenge'));
const StandInChallenge = lazyPart(() => import('./StandInChallenge'));

interface AuthenticationProps extends Omit<ChallengeProps, 'publishableKey'> {
  paymentKey: PaymentKey;
}

/** Runs the bank challenge (3-D Secure) of a payment with a stored card. */
export function Authentication({ paymentKey: { publishableKey, apiBase }, ...props }: AuthenticationProps) {
  const question = { publishableKey, ...props };
  return (
    <Suspense fallback={<p role="status">Asking your bank...</p>}>
      {apiBase === undefined ? <StripeChallenge {...question} /> : <StandInChallenge apiBase={apiBase} {...question} />}
    </Suspense>
  );
}
