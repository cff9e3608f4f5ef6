import { useCallback } from 'react';
import { useDispatch } from 'react-redux';
import { useNavigate } from 'react-router';
import { useLogoutMutation } from '@/api/account';
import { log } from '../log';
import { signedOut } from './sessionSlice';

/** Signs out and goes to /hello; a failure is only logged (account and platform, section 8). */
export function useSignOut(): () => Promise<void> {
  const navigate = useNavigate();
  const dispatch = useDispatch();
  const [logout] = useLogoutMutation();
  return useCallback(async () => {
    const { error } = await logout({ empty: {} });
    if (error !== undefined) {
      log.warn('Sign-out failed', error);
      return;
    }
    dispatch(signedOut({ hasLeft: true }));
    await navigate('/hello');
  }, [logout, navigate, dispatch]);
}
