import { lazy, Suspense } from 'react';
import type { PaymentKey } from '@/api/subscription';
import type { PaymentFormProps } from './form';

// Each is loaded only by whoever pays, and only the one that the server needs.
const StripeForm = lazy(() => import('./StripeForm'));
const StandInForm = lazy(() => import('./StandInForm'));

interface PaymentFieldsProps extends Omit<PaymentFormProps, 'publishableKey'> {
  paymentKey: PaymentKey;
  /** What stands there until they are loaded. */
  waiting: string;
}

/** The provider's fields, or those of its stand-in. */
export function PaymentFields({ paymentKey: { publishableKey, apiBase }, waiting, ...props }: PaymentFieldsProps) {
  const fields = { publishableKey, ...props };
  return (
    <Suspense fallback={<p role="status">{waiting}</p>}>
      {apiBase === undefined ? <StripeForm {...fields} /> : <StandInForm apiBase={apiBase} {...fields} />}
    </Suspense>
  );
}
