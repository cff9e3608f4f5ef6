import { useCallback, useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { useGetProvidersQuery, usePlayAsGuestMutation } from '@/api/account';
import { failureText } from '../account/failure';
import { selectLoginStatus, signedIn } from './sessionSlice';

interface GuestEntry {
  /** The server lets guests in; null until it has said so. */
  isOffered: boolean | null;
  isEntering: boolean;
  /** What went wrong the last time, in words. */
  failure: string | null;
  /** Signs in as a new guest; true when that succeeded. */
  enter: () => Promise<boolean>;
}

/** Playing without an account: the server gives a name, and the session is the guest's. */
export function usePlayAsGuest(): GuestEntry {
  const dispatch = useDispatch();
  // After the login check, never beside it: both give a new browser its name, and there can be only one.
  const isChecking = useSelector(selectLoginStatus) === 'checking';
  const { data: providers, isError } = useGetProvidersQuery(undefined, { skip: isChecking });
  const [playAsGuest, { isLoading }] = usePlayAsGuestMutation();
  const [failure, setFailure] = useState<string | null>(null);

  const enter = useCallback(async () => {
    setFailure(null);
    const { data, error } = await playAsGuest({ empty: {} });
    if (data?.isLogIn) dispatch(signedIn(data.user));
    else setFailure(failureText(error, 'Login failed'));
    return data?.isLogIn ?? false;
  }, [playAsGuest, dispatch]);

  return { isOffered: isError ? false : (providers?.guests ?? null), isEntering: isLoading, failure, enter };
}
