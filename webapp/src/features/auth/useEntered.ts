import { useCallback } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import type { User } from '@/api/account';
import { selectIntendedUrl, signedIn, urlIntended } from '@/shared/session/sessionSlice';

/**
 * Signs in whom the server let in; the guard then leads on. Whoever is new and wanted nothing in particular sets up
 * the account first.
 */
export function useEntered(): (user: User, purpose: 'signIn' | 'signUp') => void {
  const dispatch = useDispatch();
  const intended = useSelector(selectIntendedUrl);
  return useCallback(
    (user, purpose) => {
      if (purpose === 'signUp' && intended === null) dispatch(urlIntended('/app/accountSetup'));
      dispatch(signedIn(user));
    },
    [dispatch, intended],
  );
}
