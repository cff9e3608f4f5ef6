/** Rules that only the server can check, with a few of its cases (docs/behaviour/accounts.md). */

import { passwordError } from '@/shared/account/rules';

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
