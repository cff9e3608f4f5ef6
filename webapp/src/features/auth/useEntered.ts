import { useCallback } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { type User, useGetProvidersQuery, useRequestEmailCodeMutation } from '@/api/account';
import { EMAIL_CODE } from '@/shared/account/emailCode';
import { selectIntendedUrl, signedIn, urlIntended } from '@/shared/session/sessionSlice';

/**
 * Signs in whom the server let in; the guard then leads on. Whoever is new and wanted nothing in particular sets up
 * the account first, and is asked to prove the email where mail is configured.
 */
export function useEntered(): (user: User, purpose: 'signIn' | 'signUp') => void {
  const dispatch = useDispatch();
  const intended = useSelector(selectIntendedUrl);
  const { data: providers } = useGetProvidersQuery();
  const [requestCode] = useRequestEmailCodeMutation(EMAIL_CODE);
  return useCallback(
    (user, purpose) => {
      if (purpose === 'signUp') {
        if (providers?.mail && !user.emailVerified) void requestCode({ empty: {} });
        if (intended === null) dispatch(urlIntended('/app/accountSetup'));
      }
      dispatch(signedIn(user));
    },
    [dispatch, intended, providers?.mail, requestCode],
  );
}
