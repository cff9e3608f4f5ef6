/** Rules that only the server can check, with a few of its cases (docs/behaviour/accounts.md). */

import { passwordError } from '@/shared/account/rules';
import { composed, visibleError } from '@/shared/visible';
import { invalid } from './refusal';

/** A password that appeared in a data breach. */
export const BREACHED_PASSWORD = 'Br3ached!word';

/** The message of the first rule that a new password breaks. */
export function newPasswordError(password: string): string | null {
  const breached = 'Password appeared in a data breach. Please choose another.';
  return passwordError(password) ?? (password === BREACHED_PASSWORD ? breached : null);
}

const RESERVED = ['admin', 'guest', 'moderator', 'morpion', 'root', 'staff', 'support', 'system'];
const OFFENSIVE = ['fuck', 'shit'];
const REFUSED =
  'This name is not allowed. Please choose another. If it is your real name, an admin of this site can set it for you.';

const letters = (name: string) => name.toLowerCase().replaceAll(/[^a-z]/g, '');

/** Why nobody may have this name, also not from an admin. */
export function reservedName(name: string): string | null {
  return RESERVED.includes(letters(name)) ? 'This name is reserved. Please choose another.' : null;
}

/** Why nobody may choose this name. */
export function refusedName(name: string): string | null {
  return reservedName(name) ?? (OFFENSIVE.includes(letters(name)) ? REFUSED : null);
}

/** Characters of a reason, of a report's text and of a note. */
const MAX_TEXT = 500;

/** What is wrong with a line that may be empty. */
export function lineError(what: string, text: string): string | null {
  return [...composed(text)].length > MAX_TEXT
    ? `${what} can have at most ${MAX_TEXT} characters.`
    : visibleError(text, what);
}

/** What is wrong with the reason of an act on others. */
export function reasonError(reason: string): string | null {
  if (reason.trim() === '') return `A reason of 1 to ${MAX_TEXT} characters is needed.`;
  return lineError('A reason', reason);
}

/** The reason as it is stored. */
export function mustHaveReason(reason: string): string {
  const error = reasonError(reason);
  if (error !== null) throw invalid('reason', error);
  return composed(reason);
}

/** What is wrong with the end of what an admin imposes or gives. */
export function endError(until: string | undefined): string | null {
  if (until === undefined) return null;
  const at = new Date(until);
  if (at.getTime() <= Date.now()) return 'The end must be in the future.';
  return at.getUTCFullYear() > 9_999 ? 'The end must be before the year 10000.' : null;
}
