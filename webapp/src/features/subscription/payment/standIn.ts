import { type Confirmed, isSetup, isAccepted, NOT_ADDED, NOT_PAID } from './form';

/** Cards that the stand-in accepts, as in the provider's test mode, with any future date and any code. */
export const TEST_CARDS = [
  { number: '4242 4242 4242 4242', about: 'is paid' },
  { number: '4000 0000 0000 0002', about: 'is declined' },
  { number: '4000 0025 0000 3155', about: 'asks for authentication (3-D Secure)' },
  {
    number: 'DE89 3704 0044 0532 0130 00',
    about: 'is a bank account: its debits take five days, where they are taken',
  },
] as const;

export interface Card {
  number: string;
  /** `MM / YY`. */
  expiry: string;
  cvc: string;
}

interface Answer extends Partial<Confirmed> {
  error?: { message?: string; payment_intent?: Confirmed; setup_intent?: Confirmed };
}

const NOT_REACHED = 'The stand-in for the payment provider could not be reached.';

/** The first error in a card's data, in the provider's words; null if it is complete. */
export function cardError({ number, expiry, cvc }: Card): string | null {
  if (isBankAccount(number)) return null;
  if (!/^\d{13,19}$/.test(number.replaceAll(' ', ''))) return 'Your card number is incomplete.';
  if (expiryOf(expiry) === null) return 'Your card’s expiration date is incomplete.';
  if (!/^\d{3,4}$/.test(cvc.trim())) return 'Your card’s security code is incomplete.';
  return null;
}

/** An IBAN starts with its country. */
function isBankAccount(number: string): boolean {
  return /^\s*[a-z]{2}/i.test(number);
}

function expiryOf(text: string): { month: string; year: string } | null {
  const [, month = '', year = ''] = /^(0?[1-9]|1[0-2])\s*\/?\s*(\d{2})$/.exec(text.trim()) ?? [];
  return month === '' ? null : { month: String(Number(month)), year: `20${year}` };
}

/** One payment or setup at the stand-in, with its publishable key and client secret. */
export class StandIn {
  readonly #address: string;
  readonly #access: Record<string, string>;
  readonly #otherwise: string;

  constructor(apiBase: string, publishableKey: string, clientSecret: string) {
    const [id = ''] = clientSecret.split('_secret_');
    this.#address = `${apiBase}/v1/${isSetup(id) ? 'setup_intents' : 'payment_intents'}/${id}`;
    this.#otherwise = isSetup(id) ? NOT_ADDED : NOT_PAID;
    this.#access = { key: publishableKey, client_secret: clientSecret };
  }

  confirm({ number, expiry, cvc }: Card): Promise<Confirmed | { failure: string }> {
    if (isBankAccount(number)) {
      return this.#post('confirm', {
        'payment_method_data[type]': 'sepa_debit',
        'payment_method_data[sepa_debit][iban]': number.replaceAll(' ', ''),
      });
    }
    const { month = '', year = '' } = expiryOf(expiry) ?? {};
    return this.#post('confirm', {
      'payment_method_data[type]': 'card',
      'payment_method_data[card][number]': number.replaceAll(' ', ''),
      'payment_method_data[card][exp_month]': month,
      'payment_method_data[card][exp_year]': year,
      'payment_method_data[card][cvc]': cvc.trim(),
    });
  }

  /** Completes or fails the bank challenge. */
  authenticate(isThem: boolean): Promise<Confirmed | { failure: string }> {
    return this.#post('authenticate', { outcome: isThem ? 'succeed' : 'fail' });
  }

  async #post(what: string, fields: Record<string, string>): Promise<Confirmed | { failure: string }> {
    let answer: Answer;
    try {
      // Form-encoded without custom headers, so that browsers send no preflight request.
      const body = new URLSearchParams({ ...this.#access, ...fields });
      const response = await fetch(`${this.#address}/${what}`, { method: 'POST', body });
      answer = (await response.json()) as Answer;
    } catch {
      return { failure: NOT_REACHED };
    }
    const { error, ...intent } = answer;
    // A second confirmation is refused; the refusal contains the payment that succeeded.
    const before = error?.payment_intent ?? error?.setup_intent;
    if (before !== undefined && isAccepted(before.status)) return before;
    if (error !== undefined) return { failure: error.message ?? this.#otherwise };
    return { id: '', status: '', ...intent };
  }
}
