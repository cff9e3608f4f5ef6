import { useCallback } from 'react';
import { useDispatch } from 'react-redux';
import { useNavigate } from 'react-router';
import { accountApi } from '@/api/account';
import { log } from '../log';
import { rememberUser } from './storedSession';
import { signedOut } from './sessionSlice';

/** Signs out and goes to /hello; a failure is only logged (account and platform, section 8). */
export function useSignOut(): () => Promise<void> {
  const navigate = useNavigate();
  const dispatch = useDispatch();
  const [logout] = accountApi.useLogoutMutation();
  return useCallback(async () => {
    const { error } = await logout();
    if (error !== undefined) {
      log.warn('Sign-out failed', error);
      return;
    }
    rememberUser(null);
    // First away from the guarded page: it would take the sign-out for a reason to ask for a new sign-in.
    await navigate('/hello');
    dispatch(signedOut());
  }, [logout, navigate, dispatch]);
}
