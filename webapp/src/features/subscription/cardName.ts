import type { PaymentMethod } from '@/api/subscription';

/** Common names of payment methods other than cards. */
const KINDS: Record<string, string> = { sepa_debit: 'SEPA debit', link: 'Link', paypal: 'PayPal' };

export function cardName({ brand, last4 }: PaymentMethod): string {
  const name = KINDS[brand] ?? `${brand.charAt(0).toUpperCase()}${brand.slice(1)}`;
  return last4 === undefined ? name : `${name} •••• ${last4}`;
}
