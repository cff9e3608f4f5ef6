import { setupListeners } from '@reduxjs/toolkit/query';
import { useEffect, useRef } from 'react';
import { accountApi } from '@/api/account';
import type { ServerEvents } from '@/realtime/protocol';
import { useRealtime, useRealtimeEvent } from '@/realtime/RealtimeContext';
import { connectionStatusChanged } from '@/realtime/realtimeSlice';
import { log } from '@/shared/log';
import {
  authenticated,
  selectIsRemembered,
  selectLoginStatus,
  selectUser,
  signedOut,
} from '@/shared/session/sessionSlice';
import { isSigningOut, onSignOutElsewhere } from '@/shared/session/storedSession';
import { checkLogin } from './checkLogin';
import { useAppDispatch, useAppSelector } from '@/shared/storeHooks';

/** How often a signed-in page refreshes its session: docs/behaviour/accounts.md#sessions. */
export const REFRESH_INTERVAL_MS = 600_000;
/** An ended session shows as refused connections; after this many in a row the login is checked. */
const FAILURES_BEFORE_CHECK = 3;

/** After a start without the server, the profile is requested this often; usually the socket reconnects earlier. */
export const PROFILE_RETRY_MS = 10_000;

/** Whether the rules refused a valid frame; other errors mean that this program sent something wrong. */
function isRefusal({ event, errorCode }: ServerEvents['error']): boolean {
  return event !== undefined && !['malformed-data', 'unknown-event'].includes(errorCode);
}

interface Props {
  /** Reloads the page; tests replace it. */
  reload?: () => void;
}

/** Keeps the login state in line with the server, and the realtime connection open while signed in. */
export function SessionManager({ reload = () => window.location.reload() }: Props) {
  const dispatch = useAppDispatch();
  const connection = useRealtime();
  const status = useAppSelector(selectLoginStatus);
  const userId = useAppSelector(selectUser)?.userId;

  // Data is loaded again when the tab gets the focus and when the network is back.
  useEffect(() => setupListeners(dispatch), [dispatch]);

  const isChecking = status === 'checking';
  useEffect(() => {
    if (isChecking) void dispatch(checkLogin());
  }, [isChecking, dispatch]);

  useEffect(() => {
    if (userId === undefined) connection.close();
    else connection.connect(userId);
  }, [connection, userId]);

  useEffect(() => connection.onStatus((next) => dispatch(connectionStatusChanged(next))), [connection, dispatch]);
  useEffect(
    () =>
      connection.onFailure((failures) => {
        if (failures % FAILURES_BEFORE_CHECK === 0) void dispatch(checkLogin());
      }),
    [connection, dispatch],
  );

  // The news of a sign-out may arrive between the call and the reload. The reloaded page handles it; handled here, it
  // would remove what tells that page that its user has signed out.
  const isReloading = useRef(false);
  useEffect(
    () =>
      onSignOutElsewhere(() => {
        if (!isReloading.current) dispatch(signedOut({ hasSignedOut: true }));
      }),
    [dispatch],
  );

  /** Handles the end of the session; after the user's own sign-out no reload is needed. */
  const start = () => {
    if (isSigningOut()) {
      void dispatch(checkLogin());
    } else {
      isReloading.current = true;
      reload();
    }
  };

  const isRemembered = useAppSelector(selectIsRemembered);
  useProfileRetry(isRemembered);
  useSessionRefresh(status === 'login', start);

  useRealtimeEvent('authenticated', () => {
    dispatch(authenticated());
    if (isRemembered) void dispatch(checkLogin());
  });
  useRealtimeEvent('check-everone-login-activity', ({ suspension }) => {
    // Kept in the state, which a reload would lose.
    if (suspension === undefined) start();
    else dispatch(signedOut({ hasSignedOut: false, suspension }));
  });
  useRealtimeEvent('error', (error) => {
    if (isRefusal(error)) log.note('Realtime error', error);
    else log.warn('Realtime error', error);
  });
  return null;
}

/** Requests the profile of a user whom only this browser knows so far, until the server has answered. */
function useProfileRetry(isRemembered: boolean): void {
  const dispatch = useAppDispatch();
  useEffect(() => {
    if (!isRemembered) return;
    const load = () => void dispatch(checkLogin());
    window.addEventListener('online', load);
    const timer = setInterval(load, PROFILE_RETRY_MS);
    return () => {
      window.removeEventListener('online', load);
      clearInterval(timer);
    };
  }, [isRemembered, dispatch]);
}

/** Refreshes the session of a signed-in page. */
function useSessionRefresh(isSignedIn: boolean, onEnded: () => void): void {
  const dispatch = useAppDispatch();
  useEffect(() => {
    if (!isSignedIn) return;
    const refresh = async () => {
      const { error } = await dispatch(accountApi.endpoints.refreshToken.initiate());
      if (error === undefined) return;
      log.note('Session expired, logging out...', error);
      // Only an ended session requires a restart; a busy or unreachable server is retried.
      if ('status' in error && error.status === 401) onEnded();
    };
    void refresh();
    const timer = setInterval(() => void refresh(), REFRESH_INTERVAL_MS);
    return () => clearInterval(timer);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- onEnded behaves the same in every render
  }, [isSignedIn, dispatch]);
}
