import { useCallback } from 'react';
import type { User } from '@/api/account';
import { selectIntendedUrl, signedIn, urlIntended } from '@/shared/session/sessionSlice';
import { useAppDispatch, useAppSelector } from '@/shared/storeHooks';

/**
 * Signs in whom the server let in; the guard then leads on. Whoever is new and wanted nothing in particular sets up
 * the account first.
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
