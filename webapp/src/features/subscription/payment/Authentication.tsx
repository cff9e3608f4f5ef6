import { lazy, Suspense } from 'react';
import type { PaymentKey } from '@/api/subscription';
import type { QuestionProps } from './question';

const StripeQuestion = lazy(() => import('./StripeQuestion'));
const StandInQuestion = lazy(() => import('./StandInQuestion'));

interface AuthenticationProps extends Omit<QuestionProps, 'publishableKey'> {
  paymentKey: PaymentKey;
}

/** Has the bank ask whether it is really them (3-D Secure), for a payment with a card that is kept. */
export function Authentication({ paymentKey: { publishableKey, apiBase }, ...props }: AuthenticationProps) {
  const question = { publishableKey, ...props };
  return (
    <Suspense fallback={<p role="status">Asking your bank...</p>}>
      {apiBase === undefined ? <StripeQuestion {...question} /> : <StandInQuestion apiBase={apiBase} {...question} />}
    </Suspense>
  );
}
