import { useCallback } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { useLogoutMutation } from '@/api/account';
import { useRealtime } from '@/realtime/RealtimeContext';
import { log } from '../log';
import { askedToStay, selectUser, signedOut } from './sessionSlice';
import { noteLeaving } from './storedSession';

/** What Log Out does: at once for whoever can sign in again, after a question for a guest (GuestLeaves.tsx). */
export function useSignOut(): () => Promise<void> {
  const dispatch = useDispatch();
  const isGuest = useSelector(selectUser)?.isTempUser ?? false;
  const signOut = useSignOutNow();
  return useCallback(async () => {
    if (isGuest) dispatch(askedToStay(true));
    else await signOut();
  }, [isGuest, dispatch, signOut]);
}

/**
 * Signs out, which leads to /hello on every tab; a failure is only logged. The server
 * tells all connections of the session that it is over, and that news may come before its answer: so this tab's
 * connection is closed first, and the other tabs know the reason before there is anything to know.
 */
export function useSignOutNow(): () => Promise<void> {
  const dispatch = useDispatch();
  const connection = useRealtime();
  const userId = useSelector(selectUser)?.userId;
  const [logout] = useLogoutMutation();
  return useCallback(async () => {
    noteLeaving('leaving');
    connection.close();
    const { error } = await logout();
    if (error !== undefined) {
      log.note('Sign-out failed', error);
      noteLeaving(null);
      if (userId !== undefined) connection.connect(userId);
      return;
    }
    noteLeaving('left');
    dispatch(signedOut({ hasLeft: true }));
  }, [logout, dispatch, connection, userId]);
}
