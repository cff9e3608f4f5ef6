import type { Ref } from 'react';

/**
 * The result of confirming a payment or of adding a payment method: what is reported to the server, or the
 * provider's error message. A payment that is being processed has not failed.
 */
export type Outcome = { intentId: string; paymentMethodId: string | null } | { failure: string };

/** Payment fields that are sent to the provider. They never pass through our server. */
export interface PaymentForm {
  /** Pays or adds; if it has already succeeded, returns that result. */
  confirm: () => Promise<Outcome>;
}

export interface PaymentFormProps {
  ref: Ref<PaymentForm>;
  publishableKey: string;
  /** The client secret of the payment or setup to confirm. */
  clientSecret: string;
  /** Called when the form can be submitted. */
  onReady: () => void;
  /** Called with the reason if the form cannot be shown. */
  onFailure: (text: string) => void;
}

/** Whether a client secret belongs to a setup, which charges nothing. */
export function isSetup(clientSecret: string): boolean {
  return clientSecret.startsWith('seti_');
}

/** A payment intent or setup intent. */
export interface Confirmed {
  id: string;
  status: string;
  payment_method?: string | { id: string } | null;
  last_payment_error?: { message?: string } | null;
  last_setup_error?: { message?: string } | null;
}

export const NOT_PAID = 'Your payment did not go through. Please try again.';
export const NOT_ADDED = 'The payment method was not added. Please try again.';

/** It was paid or added, or is being processed. */
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
