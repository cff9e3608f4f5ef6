import type { Suspension } from '@/api/account';

/** The value of `?error=` on /login; the server redirects there as well, and then says no more. */
export const SUSPENDED = 'suspended';

/** What the history keeps beside `?error=suspended`. */
export interface SuspendedState {
  suspension?: Suspension | undefined;
}

/** The page that says why nobody can sign in to the account. */
export function suspendedPage(suspension: Suspension | undefined): { to: string; state: SuspendedState } {
  return { to: `/login?error=${SUSPENDED}`, state: { suspension } };
}
