import { Suspense } from 'react';
import { lazyPart } from '@/shared/ui/lazyPart';
import type { PaymentKey } from '@/api/subscription';
import type { PaymentFormProps } from './form';

// Loaded only for a payment, and only the one that the server uses.
const StripeForm = lazyPart(() => import('./StripeForm'));
const StandInForm = lazyPart(() => import('./StandInForm'));

interface PaymentFieldsProps extends Omit<PaymentFormProps, 'publishableKey'> {
  paymentKey: PaymentKey;
  /** The text shown until they are loaded. */
  waiting: string;
}

/** The payment fields of the provider, or of its stand-in. */
export function PaymentFields({ paymentKey: { publishableKey, apiBase }, waiting, ...props }: PaymentFieldsProps) {
  const fields = { publishableKey, ...props };
  return (
    <Suspense fallback={<p role="status">{waiting}</p>}>
      {apiBase === undefined ? <StripeForm {...fields} /> : <StandInForm apiBase={apiBase} {...fields} />}
    </Suspense>
  );
}
