import { STORAGE_KEYS } from '@/shared/storage';

export type Step = { name: 'email' } | { name: 'code' | 'password'; email: string };

/** A code is good for 10 minutes, and a little is needed to set the password. */
export const KEPT_FOR_MS = 15 * 60_000;

/**
 * The step this tab was at, since a phone drops the page while its owner looks for the code in the mail. Holds no code and no
 * password; the server knows by its own cookie whether this browser may set one.
 */
export function keptStep(): Step {
  try {
    const kept = JSON.parse(sessionStorage.getItem(STORAGE_KEYS.recovery) ?? '') as Record<string, unknown>;
    const { name, email, at } = kept;
    const age = Date.now() - Number(at);
    if ((name === 'code' || name === 'password') && typeof email === 'string' && age >= 0 && age < KEPT_FOR_MS) {
      return { name, email };
    }
  } catch {
    // Nothing was kept.
  }
  return { name: 'email' };
}

export function keepStep(step: Step): void {
  try {
    if (step.name === 'email') sessionStorage.removeItem(STORAGE_KEYS.recovery);
    else sessionStorage.setItem(STORAGE_KEYS.recovery, JSON.stringify({ ...step, at: Date.now() }));
  } catch {
    // A reload begins anew.
  }
}
