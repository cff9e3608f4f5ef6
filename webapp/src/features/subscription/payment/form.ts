import type { Ref } from 'react';

/** What came of confirming a payment: what the server is told of it, or why it failed, in the provider's words. */
export type Outcome = { paymentIntentId: string; paymentMethodId: string | null } | { failure: string };

/** Card fields that can be sent to the provider. They never pass through our server. */
export interface PaymentForm {
  /** Pays; for a payment that has succeeded already, says so again. */
  confirm: () => Promise<Outcome>;
}

export interface PaymentFormProps {
  ref: Ref<PaymentForm>;
  publishableKey: string;
  /** Of the payment that is to be confirmed. */
  clientSecret: string;
  /** It may be sent: until then there is nothing to confirm. */
  onReady: () => void;
  /** It cannot be shown, and why. */
  onFailure: (text: string) => void;
}
