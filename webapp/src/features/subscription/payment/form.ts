import type { Ref } from 'react';

/**
 * What came of confirming a payment, or of adding something to pay with: what the server is told of it, or why it
 * failed, in the provider's words. A payment that is on its way has not failed.
 */
export type Outcome = { intentId: string; paymentMethodId: string | null } | { failure: string };

/** Card fields that can be sent to the provider. They never pass through our server. */
export interface PaymentForm {
  /** Pays, or adds; for what has succeeded already, says so again. */
  confirm: () => Promise<Outcome>;
}

export interface PaymentFormProps {
  ref: Ref<PaymentForm>;
  publishableKey: string;
  /** Of the payment that is to be confirmed, or of the setup of something to pay with. */
  clientSecret: string;
  /** It may be sent: until then there is nothing to confirm. */
  onReady: () => void;
  /** It cannot be shown, and why. */
  onFailure: (text: string) => void;
}

/** Whether a secret adds something to pay with, and takes no money. */
export function isSetup(clientSecret: string): boolean {
  return clientSecret.startsWith('seti_');
}

/** What a payment, or a setup, says of itself. */
export interface Confirmed {
  id: string;
  status: string;
  payment_method?: string | { id: string } | null;
  last_payment_error?: { message?: string } | null;
  last_setup_error?: { message?: string } | null;
}

export const NOT_PAID = 'Your payment did not go through. Please try again.';
export const NOT_ADDED = 'The payment method was not added. Please try again.';

/** Nothing is to be done about it any more: it was paid or added, or is on its way. */
export function isAccepted(status: string): boolean {
  return status === 'succeeded' || status === 'processing';
}

export function outcomeOf(confirmed: Confirmed): Outcome {
  const { id, status, payment_method: method, last_payment_error, last_setup_error } = confirmed;
  if (!isAccepted(status)) {
    const problem = last_payment_error ?? last_setup_error;
    return { failure: problem?.message ?? (isSetup(id) ? NOT_ADDED : NOT_PAID) };
  }
  return { intentId: id, paymentMethodId: typeof method === 'string' ? method : (method?.id ?? null) };
}
