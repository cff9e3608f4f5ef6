import { useCallback } from 'react';
import { useLogoutMutation } from '@/api/account';
import { useRealtime } from '@/realtime/RealtimeContext';
import { confirmingSignOut, selectUser, signedOut } from './sessionSlice';
import { storeSignOut } from './storedSession';
import { useAppDispatch, useAppSelector } from '@/shared/storeHooks';
import { failureText } from '../account/failure';
import { toast } from '../ui/toast';

/** Signs out at once, or after a confirmation for guests (GuestSignOutDialog.tsx). */
export function useSignOut(): () => Promise<void> {
  const dispatch = useAppDispatch();
  const isGuest = useAppSelector(selectUser)?.isTempUser ?? false;
  const signOut = useSignOutNow();
  return useCallback(async () => {
    if (isGuest) dispatch(confirmingSignOut(true));
    else await signOut();
  }, [isGuest, dispatch, signOut]);
}

/** Signs out, or says that the user is still signed in: on a shared computer they have to know. */
export function useSignOutNow(): () => Promise<void> {
  const end = useEndSession();
  const [logout] = useLogoutMutation();
  return useCallback(async () => {
    const error = await end(logout);
    if (error !== undefined) toast.error(`You are still signed in. ${failureText(error, 'Request failed')}`);
  }, [end, logout]);
}

/**
 * For calls that end this session, which redirects every tab to /hello; resolves with the error, if any. The server
 * tells all connections of the session that it is over, possibly before it responds. So this tab's connection is closed
 * first, and the reason is stored for other tabs before the call.
 */
export function useEndSession(): (call: () => Promise<{ error?: unknown }>) => Promise<unknown> {
  const dispatch = useAppDispatch();
  const connection = useRealtime();
  const userId = useAppSelector(selectUser)?.userId;
  return useCallback(
    async (call) => {
      storeSignOut('leaving');
      connection.close();
      const { error } = await call();
      if (error !== undefined) {
        storeSignOut(null);
        if (userId !== undefined) connection.connect(userId);
        return error;
      }
      storeSignOut('left');
      dispatch(signedOut({ hasSignedOut: true }));
      return undefined;
    },
    [dispatch, connection, userId],
  );
}
