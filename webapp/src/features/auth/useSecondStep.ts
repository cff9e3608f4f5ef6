import { useCallback } from 'react';
import { useNavigate } from 'react-router';
import { isApiError } from '@/api/base';

/** The value of `?step=` on /login; the server redirects there as well. */
export const SECOND_STEP = 'second-factor';

/** Goes on with the second step if that is why a sign-in was refused, and returns whether it is. */
export function useSecondStep(): (error: unknown) => boolean {
  const navigate = useNavigate();
  return useCallback(
    (error) => {
      const goesOn = isApiError(error) && error.code === 'second-factor-required';
      if (goesOn) void navigate(`/login?step=${SECOND_STEP}`);
      return goesOn;
    },
    [navigate],
  );
}
