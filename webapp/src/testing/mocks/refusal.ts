import type { components } from '@/api/schema';

/** A refused call, with the server's codes and texts. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly code: string;
  readonly fieldErrors: Record<string, string> | undefined;
  /** The free plan does not allow it, but Pro does. */
  requiresUpgrade = false;
  suspension: components['schemas']['Suspension'] | undefined;
  /** Seconds until it may be tried again. */
  retryAfter: number | undefined;

  constructor(status: number, code: string, message: string, fieldErrors?: Record<string, string>) {
    super(message);
    this.status = status;
    this.code = code;
    this.fieldErrors = fieldErrors;
  }
}

export const notSignedIn = () => new Refusal(401, 'not-signed-in', 'Please sign in first.');
export const notYourself = () => new Refusal(403, 'not-yourself', 'You can only act for yourself.');
export const adminsOnly = () => new Refusal(403, 'forbidden', 'Only for admins.');
export const notFound = (what: string) => new Refusal(404, 'not-found', `${what} not found.`);
export const conflict = (code: string, message: string) => new Refusal(409, code, message);
export const invalid = (field: string, message: string, code = 'invalid') =>
  new Refusal(422, code, message, { [field]: message });
export const notAPlayer = () => new Refusal(403, 'not-a-player', 'You are not a player of this game.');

const UNTIL: Intl.DateTimeFormatOptions = {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
};

/** Says when a suspension ends, and why it was imposed. */
export function suspended(suspension: components['schemas']['Suspension']): Refusal {
  const { until, reason } = suspension;
  const end = until === undefined ? '' : ` until ${new Date(until).toLocaleString('en-GB', UNTIL)} (UTC)`;
  const refusal = new Refusal(403, 'suspended', `This account is suspended${end}. Reason: ${reason}`);
  return Object.assign(refusal, { suspension });
}

export function tooMany(seconds: number): Refusal {
  const refusal = new Refusal(429, 'too-many-requests', 'Too many requests. Please try again later.');
  return Object.assign(refusal, { retryAfter: seconds });
}

/** Throws a refusal with all invalid fields of a form, if there are any. */
export function checkFields(fields: Record<string, string | null>): void {
  const wrong = Object.entries(fields).filter((each): each is [string, string] => each[1] !== null);
  const [[, first] = ['', '']] = wrong;
  if (wrong.length === 0) return;
  const message = wrong.length === 1 ? first : 'Some fields are not right yet.';
  throw new Refusal(422, 'invalid', message, Object.fromEntries(wrong));
}

/** Operations that the server does not implement yet are not mocked either. */
export function notBuilt(): never {
  throw new Refusal(501, 'not-built-yet', 'This is not available on this server yet.');
}
