import type { User } from '@/api/account';
import { readStored, removeStored, STORAGE_KEYS, writeStored } from '../storage';

const LAST_USER_KEY = STORAGE_KEYS.lastUser;
/** From pressing Log Out until the next sign-in in this browser: why a session is gone, for the other tabs and after a reload. */
export const SIGN_OUT_KEY = STORAGE_KEYS.signOut;
/** Somebody is signed in on this very tab; outlives its reloads. */
const SIGNED_IN_HERE_KEY = STORAGE_KEYS.signedInHere;
export const INTENDED_URL_KEY = STORAGE_KEYS.intendedUrl;

/** Who signed in last on this browser: stands when the server cannot be reached, so that practice works offline. */
export function lastUser(): User | null {
  const stored = readStored(LAST_USER_KEY);
  return typeof stored === 'object' && stored !== null && 'userId' in stored ? (stored as User) : null;
}

export function rememberUser(user: User | null): void {
  // The email serves nobody offline, so it is not left lying there, nor what would be said of it.
  if (user === null) removeStored(LAST_USER_KEY);
  else writeStored(LAST_USER_KEY, { ...user, email: '', emailVerified: false });
}

/** The stored path, if it is one of ours: what lies in storage must not lead elsewhere. */
export function storedIntendedUrl(): string | null {
  let url: string | null = null;
  try {
    url = localStorage.getItem(INTENDED_URL_KEY);
  } catch {
    // Storage may be forbidden: there is no intention then.
  }
  return url !== null && /^\/app\/[^\\]*$/.test(url) ? url : null;
}

export function rememberIntendedUrl(url: string | null): void {
  try {
    if (url === null) localStorage.removeItem(INTENDED_URL_KEY);
    else localStorage.setItem(INTENDED_URL_KEY, url);
  } catch {
    // The redux state still knows it while the page lives.
  }
}

/** `leaving` while the server is asked to end the session, `left` once it has. */
export type SignOutState = 'leaving' | 'left';

export function storeSignOut(leaving: SignOutState | null): void {
  if (leaving === null) removeStored(SIGN_OUT_KEY);
  else writeStored(SIGN_OUT_KEY, leaving);
}

export function isSigningOut(): boolean {
  return readStored(SIGN_OUT_KEY) !== null;
}

/** Calls back when the person has signed out on another tab. */
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
    // A reload is then taken for a first visit.
  }
}

/** Who was signed in on this tab has signed out here or on another. */
export function hasSignedOutHere(): boolean {
  try {
    return sessionStorage.getItem(SIGNED_IN_HERE_KEY) !== null && isSigningOut();
  } catch {
    return false;
  }
}
