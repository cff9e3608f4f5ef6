import { useCallback } from 'react';
import { useNavigate } from 'react-router';
import { isApiError } from '@/api/base';
import { suspendedPage } from '@/shared/session/suspendedPage';

/** The value of `?step=` on /login; the server redirects there as well. */
export const SECOND_STEP = 'second-factor';

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
      const { to, state } = suspendedPage(error.suspension);
      void navigate(to, { replace: true, state });
      return true;
    },
    [navigate],
  );
}
