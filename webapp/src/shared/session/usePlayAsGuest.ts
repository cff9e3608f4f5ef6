import { useCallback, useState } from 'react';
import { usePlayAsGuestMutation } from '@/api/account';
import { failureText } from '../account/failure';
import { signedIn } from './sessionSlice';
import { useProviders } from './useProviders';
import { useAppDispatch } from '@/shared/storeHooks';

interface PlayAsGuest {
  /** The server lets guests in; null until it has said so. */
  isOffered: boolean | null;
  isEntering: boolean;
  /** What went wrong the last time, in words. */
  failure: string | null;
  /** Signs in as a new guest; true when that succeeded. */
  enter: () => Promise<boolean>;
}

/** Playing without an account: the server gives a name, and the session is the guest's. */
export function usePlayAsGuest(): PlayAsGuest {
  const dispatch = useAppDispatch();
  const { providers, isError } = useProviders();
  const [playAsGuest, { isLoading }] = usePlayAsGuestMutation();
  const [failure, setFailure] = useState<string | null>(null);

  const enter = useCallback(async () => {
    setFailure(null);
    const { data, error } = await playAsGuest();
    if (data?.isLogIn) dispatch(signedIn(data.user));
    else setFailure(failureText(error, 'Login failed'));
    return data?.isLogIn ?? false;
  }, [playAsGuest, dispatch]);

  return { isOffered: isError ? false : (providers?.guests ?? null), isEntering: isLoading, failure, enter };
}
