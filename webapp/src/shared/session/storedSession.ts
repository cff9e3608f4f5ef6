import type { User } from '@/api/account';
import { readStored, removeStored, STORAGE_KEYS, writeStored } from '../storage';

const LAST_USER_KEY = STORAGE_KEYS.lastUser;
/** Set from Log Out until the next sign-in in this browser: tells other tabs and reloads why the session ended. */
export const SIGN_OUT_KEY = STORAGE_KEYS.signOut;
/** A user is signed in on this tab; survives reloads. */
const SIGNED_IN_HERE_KEY = STORAGE_KEYS.signedInHere;
export const INTENDED_URL_KEY = STORAGE_KEYS.intendedUrl;

/** The last user of this browser, used if the server cannot be reached, so that practice works offline. */
export function lastUser(): User | null {
  const stored = readStored(LAST_USER_KEY);
  return typeof stored === 'object' && stored !== null && 'userId' in stored ? (stored as User) : null;
}

export function rememberUser(user: User | null): void {
  // What is not needed offline is not stored.
  if (user === null) removeStored(LAST_USER_KEY);
  else writeStored(LAST_USER_KEY, { ...user, email: '', emailVerified: false, firstName: '', lastName: '' });
}

/** The stored path, if it belongs to the app: stored values must not redirect elsewhere. */
export function storedIntendedUrl(): string | null {
  let url: string | null = null;
  try {
    url = localStorage.getItem(INTENDED_URL_KEY);
  } catch {
    // Storage may be disabled: there is no intended URL then.
  }
  return url !== null && /^\/(app\/[^\\]*|join(#[-\w]*)?)$/.test(url) ? url : null;
}

export function rememberIntendedUrl(url: string | null): void {
  try {
    if (url === null) localStorage.removeItem(INTENDED_URL_KEY);
    else localStorage.setItem(INTENDED_URL_KEY, url);
  } catch {
    // The Redux state still has it until a reload.
  }
}

/** `leaving` while the sign-out is being sent, `left` once the session has ended. */
export type SignOutState = 'leaving' | 'left';

export function storeSignOut(leaving: SignOutState | null): void {
  if (leaving === null) removeStored(SIGN_OUT_KEY);
  else writeStored(SIGN_OUT_KEY, leaving);
}

export function isSigningOut(): boolean {
  return readStored(SIGN_OUT_KEY) !== null;
}

/** Calls back when the user has signed out in another tab. */
export function onSignOutElsewhere(callback: () => void): () => void {
  const listener = ({ key }: StorageEvent) => {
    if (key === SIGN_OUT_KEY && readStored(SIGN_OUT_KEY) === 'left') callback();
  };
  window.addEventListener('storage', listener);
  return () => window.removeEventListener('storage', listener);
}

export function markTabSignedIn(): void {
  try {
    sessionStorage.setItem(SIGNED_IN_HERE_KEY, 'true');
  } catch {
    // A reload then counts as a first visit.
  }
}

/** Whether the user of this tab has signed out, here or in another tab. */
export function hasSignedOutHere(): boolean {
  try {
    return sessionStorage.getItem(SIGNED_IN_HERE_KEY) !== null && isSigningOut();
  } catch {
    return false;
  }
}
