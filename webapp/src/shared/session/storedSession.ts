import type { User } from '@/api/account';
import { readStored, removeStored, writeStored } from '../storage';

const LAST_USER_KEY = 'morpion_last_user';
export const INTENDED_URL_KEY = 'intendedUrl';

/** Who signed in last on this browser: stands when the server cannot be reached, so that practice works offline. */
export function lastUser(): User | null {
  const stored = readStored(LAST_USER_KEY);
  return typeof stored === 'object' && stored !== null && 'userId' in stored ? (stored as User) : null;
}

export function rememberUser(user: User | null): void {
  // The email serves nobody offline, so it is not left lying there.
  if (user === null) removeStored(LAST_USER_KEY);
  else writeStored(LAST_USER_KEY, { ...user, email: '' });
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
