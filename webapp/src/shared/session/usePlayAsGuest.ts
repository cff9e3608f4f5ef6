import { useCallback, useState } from 'react';
import { usePlayAsGuestMutation } from '@/api/account';
import { failureText } from '../account/failure';
import { signedIn } from './sessionSlice';
import { useLoginChecked } from './useLoginChecked';
import { useProviders } from './useProviders';
import { useAppDispatch } from '@/shared/storeHooks';

interface PlayAsGuest {
  /** Whether the server allows guests; null until loaded. */
  isOffered: boolean | null;
  isEntering: boolean;
  /** The error message of the last attempt. */
  failure: string | null;
  /** Signs in as a new guest; resolves with true on success. */
  enter: () => Promise<boolean>;
}

/** Signs in as a guest: the server assigns a name and creates a session. */
export function usePlayAsGuest(): PlayAsGuest {
  const dispatch = useAppDispatch();
  const { providers, isError } = useProviders();
  const [playAsGuest, { isLoading }] = usePlayAsGuestMutation();
  const loginChecked = useLoginChecked();
  const [failure, setFailure] = useState<string | null>(null);

  const enter = useCallback(async () => {
    setFailure(null);
    await loginChecked();
    const { data, error } = await playAsGuest();
    if (data?.isLogIn) dispatch(signedIn(data.user));
    else setFailure(failureText(error, 'Login failed'));
    return data?.isLogIn ?? false;
  }, [playAsGuest, loginChecked, dispatch]);

  return { isOffered: isError ? false : (providers?.guests ?? null), isEntering: isLoading, failure, enter };
}
