import { STORAGE_KEYS } from '@/shared/storage';
import { isSigningOut } from './storedSession';

/** As long as a person may take at the provider. */
const PAUSE_MS = 10 * 60_000;

/**
 * Whether this tab may be led on to the provider without a press; counts as done. Not again for a while, so that whoever
 * comes back without a sign-in, by whatever way, stays on the page; nor where nothing can be stored, nor in any tab after a
 * sign-out here: the provider would sign the same person in again.
 */
export function mayLeadToProvider(): boolean {
  if (isSigningOut()) return false;
  try {
    if (Date.now() < Number(sessionStorage.getItem(STORAGE_KEYS.ledToProvider))) return false;
    sessionStorage.setItem(STORAGE_KEYS.ledToProvider, String(Date.now() + PAUSE_MS));
    return true;
  } catch {
    return false;
  }
}

export function leaveFor(address: string): void {
  window.location.assign(address);
}
