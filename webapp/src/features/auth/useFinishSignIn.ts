import { useCallback } from 'react';
import type { User } from '@/api/account';
import { selectIntendedUrl, signedIn, urlIntended } from '@/shared/session/sessionSlice';
import { useAppDispatch, useAppSelector } from '@/shared/storeHooks';

/**
 * Finishes a sign-in; the guard then redirects. A new user without an intended URL is sent to the account setup
 * first.
 */
export function useFinishSignIn(): (user: User, purpose: 'signIn' | 'signUp') => void {
  const dispatch = useAppDispatch();
  const intended = useAppSelector(selectIntendedUrl);
  return useCallback(
    (user, purpose) => {
      if (purpose === 'signUp' && intended === null) dispatch(urlIntended('/app/accountSetup'));
      dispatch(signedIn(user));
    },
    [dispatch, intended],
  );
}
