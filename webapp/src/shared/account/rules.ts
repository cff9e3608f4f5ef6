/** What a form can check before the server does (docs/behaviour/accounts.md#passwords); the server checks it all again. */

import { composed, visibleError } from '../visible';

export const PASSWORD_MIN = 8;
export const PASSWORD_MAX = 256;
export const USERNAME = /^[A-Za-z0-9_.-]{3,20}$/;
export const NAME_MAX = 50;

/** Shown below the field. */
export const PASSWORD_RULES = 'At least 8 characters, with upper and lower case, a digit and a special character.';

const NO_PASSWORD = 'Password cannot be empty';

/** Checks the password of an existing account; only the server knows whether it is right. */
export function ownPasswordError(password: string): string | null {
  return password === '' ? NO_PASSWORD : null;
}

/** The message of the first rule that a new password breaks. */
export function passwordError(password: string): string | null {
  if (password === '') return NO_PASSWORD;
  if (password.length < PASSWORD_MIN) return 'Password must be at least 8 characters.';
  if (password.length > PASSWORD_MAX) return `Password must be at most ${PASSWORD_MAX} characters.`;
  if (!/\p{Lu}/u.test(password)) return 'Password must contain at least one uppercase letter.';
  if (!/\p{Ll}/u.test(password)) return 'Password must contain at least one lowercase letter.';
  if (!/\p{Nd}/u.test(password)) return 'Password must contain at least one digit.';
  if (!/[^\p{L}\p{N}\s]/u.test(password)) return 'Password must contain at least one special character.';
  return null;
}

export function usernameError(username: string): string | null {
  return USERNAME.test(username) ? null : 'Username must be 3 to 20 letters, digits, or _ . -';
}

export function emailError(email: string): string | null {
  const [, local] = /^([^\s@]+)@[^\s@]+\.[^\s@.]+$/.exec(email.trim()) ?? [];
  if (local === undefined || /^\.|\.\.|\.$/.test(local)) return 'Please enter a valid email address.';
  if (/[^\x21-\x7e]/.test(local))
    return 'Email to this address may not arrive. Please use one with only letters a to z, digits and signs before the @.';
  return null;
}

/** Checks what somebody signs in with. */
export function ownNameError(typed: string): string | null {
  if (typed.trim() === '') return 'Please enter your email or username.';
  return typed.includes('@') ? emailError(typed) : null;
}

export function nameError(name: string): string | null {
  const { length } = [...composed(name)];
  return length <= NAME_MAX ? visibleError(name, 'A name') : `A name can have at most ${NAME_MAX} characters.`;
}

/** Checks the repetition of a new password. */
export function retypedError(retyped: string, password: string): string | null {
  return retyped === password ? null : 'Password must be the same';
}

export const CODE_LENGTH = 6;

export function codeError(code: string): string | null {
  return /^\d{6}$/.test(code.trim()) ? null : 'code need to be 6 digit';
}

export const DISPLAY_NAME_MAX = 40;

export function displayNameError(name: string): string | null {
  const { length } = [...composed(name)];
  if (length < 1 || length > DISPLAY_NAME_MAX) return `Display name must be 1 to ${DISPLAY_NAME_MAX} characters.`;
  return visibleError(name, 'Display name');
}
