import type { Outcome } from './form';

/** Cards that the stand-in knows, as the provider's own test mode does: any date to come and any code go with them. */
export const TEST_CARDS = [
  { number: '4242 4242 4242 4242', about: 'is paid' },
  { number: '4000 0000 0000 0002', about: 'is declined' },
  { number: '4000 0025 0000 3155', about: 'asks for authentication (3-D Secure)' },
] as const;

export interface Card {
  number: string;
  /** `MM / YY`. */
  expiry: string;
  cvc: string;
}

/** What of a payment intent is read here. */
export interface Intent {
  id: string;
  status: string;
  payment_method?: string | { id: string } | null;
  last_payment_error?: { message?: string } | null;
}

interface Answer extends Partial<Intent> {
  error?: { message?: string; payment_intent?: Intent };
}

const NOT_REACHED = 'The stand-in for the payment provider could not be reached.';
const NOT_PAID = 'Your payment did not go through. Please try again.';

/** What is missing in a card before it can be sent, in the provider's words; null when nothing is. */
export function cardError({ number, expiry, cvc }: Card): string | null {
  if (!/^\d{13,19}$/.test(number.replaceAll(' ', ''))) return 'Your card number is incomplete.';
  if (expiryOf(expiry) === null) return 'Your card’s expiration date is incomplete.';
  if (!/^\d{3,4}$/.test(cvc.trim())) return 'Your card’s security code is incomplete.';
  return null;
}

function expiryOf(text: string): { month: string; year: string } | null {
  const [, month = '', year = ''] = /^(0?[1-9]|1[0-2])\s*\/?\s*(\d{2})$/.exec(text.trim()) ?? [];
  return month === '' ? null : { month: String(Number(month)), year: `20${year}` };
}

/** One payment at the stand-in, with what its publishable key and client secret allow. */
export class StandIn {
  readonly #address: string;
  readonly #access: Record<string, string>;

  constructor(apiBase: string, publishableKey: string, clientSecret: string) {
    const [id = ''] = clientSecret.split('_secret_');
    this.#address = `${apiBase}/v1/payment_intents/${id}`;
    this.#access = { key: publishableKey, client_secret: clientSecret };
  }

  confirm({ number, expiry, cvc }: Card): Promise<Intent | { failure: string }> {
    const { month = '', year = '' } = expiryOf(expiry) ?? {};
    return this.#post('confirm', {
      'payment_method_data[type]': 'card',
      'payment_method_data[card][number]': number.replaceAll(' ', ''),
      'payment_method_data[card][exp_month]': month,
      'payment_method_data[card][exp_year]': year,
      'payment_method_data[card][cvc]': cvc.trim(),
    });
  }

  /** Answers for the card's holder when their bank asks whether it is really them. */
  authenticate(isThem: boolean): Promise<Intent | { failure: string }> {
    return this.#post('authenticate', { outcome: isThem ? 'succeed' : 'fail' });
  }

  async #post(what: string, fields: Record<string, string>): Promise<Intent | { failure: string }> {
    let answer: Answer;
    try {
      // A form as the provider takes them: no other header, so that no browser asks first.
      const body = new URLSearchParams({ ...this.#access, ...fields });
      const response = await fetch(`${this.#address}/${what}`, { method: 'POST', body });
      answer = (await response.json()) as Answer;
    } catch {
      return { failure: NOT_REACHED };
    }
    const { error, ...intent } = answer;
    // A payment that has succeeded is refused a second time, and comes with the refusal.
    if (error?.payment_intent?.status === 'succeeded') return error.payment_intent;
    if (error !== undefined) return { failure: error.message ?? NOT_PAID };
    return { id: '', status: '', ...intent };
  }
}

export function outcomeOf({ id, status, payment_method: method, last_payment_error: problem }: Intent): Outcome {
  if (status !== 'succeeded') return { failure: problem?.message ?? NOT_PAID };
  return { paymentIntentId: id, paymentMethodId: typeof method === 'string' ? method : (method?.id ?? null) };
}
