import { useCallback } from 'react';
import { useNavigate } from 'react-router';
import { isApiError } from '@/api/base';

/** The value of `?step=` on /login; the server redirects there as well. */
export const SECOND_STEP = 'second-factor';

/** The value of `?error=` on /login; the server redirects there as well, and then says no more. */
export const SUSPENDED = 'suspended';

/** What the history keeps beside `?error=suspended`. */
export interface SuspendedState {
  refusal?: string | undefined;
}

/** Leads on to the second step, or to why the account is suspended, and returns whether a sign-in was refused so. */
export function useRefusedSignIn(): (error: unknown) => boolean {
  const navigate = useNavigate();
  return useCallback(
    (error) => {
      if (!isApiError(error)) return false;
      if (error.code === 'second-factor-required') {
        void navigate(`/login?step=${SECOND_STEP}`);
        return true;
      }
      if (error.code !== 'suspended') return false;
      const state: SuspendedState = { refusal: error.message };
      void navigate(`/login?error=${SUSPENDED}`, { replace: true, state });
      return true;
    },
    [navigate],
  );
}
