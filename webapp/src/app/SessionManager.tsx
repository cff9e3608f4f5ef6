import { setupListeners } from '@reduxjs/toolkit/query';
import { useEffect } from 'react';
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
/** A session that ended shows itself as connections refused; after so many in a row we ask. */
const FAILURES_BEFORE_CHECK = 3;

/** After a start without the server, the profile is asked for so often; its socket usually says earlier that it is back. */
export const PROFILE_RETRY_MS = 10_000;

/** Of a frame that was read and refused by the rules; others say that this program sent something wrong. */
function isRefusal({ event, errorCode }: ServerEvents['error']): boolean {
  return event !== undefined && !['malformed-data', 'unknown-event'].includes(errorCode);
}

interface Props {
  /** Loads the page anew; tests watch it. */
  reload?: () => void;
}

/** Keeps the sign-in what the server says it is, and the realtime channel open for as long as it lasts. */
export function SessionManager({ reload = () => window.location.reload() }: Props) {
  const dispatch = useAppDispatch();
  const connection = useRealtime();
  const status = useAppSelector(selectLoginStatus);
  const userId = useAppSelector(selectUser)?.userId;

  // What a page shows is asked for again when its tab is looked at, and when the network is back.
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

  useEffect(() => onSignOutElsewhere(() => dispatch(signedOut({ hasSignedOut: true }))), [dispatch]);

  /** The session is over: by the person's own wish, which needs no reload, or not. */
  const start = () => {
    if (isSigningOut()) void dispatch(checkLogin());
    else reload();
  };

  const isRemembered = useAppSelector(selectIsRemembered);
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

  const isSignedIn = status === 'login';
  useEffect(() => {
    if (!isSignedIn) return;
    const refresh = async () => {
      const { error } = await dispatch(accountApi.endpoints.refreshToken.initiate());
      if (error === undefined) return;
      log.note('Session expired, logging out...', error);
      // Only an ended session is a reason to start over; a server that is busy or away will answer next time.
      if ('status' in error && error.status === 401) start();
    };
    void refresh();
    const timer = setInterval(() => void refresh(), REFRESH_INTERVAL_MS);
    return () => clearInterval(timer);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- start does the same, whichever function it is
  }, [isSignedIn, dispatch]);

  useRealtimeEvent('authenticated', () => {
    dispatch(authenticated());
    if (isRemembered) void dispatch(checkLogin());
  });
  useRealtimeEvent('check-everone-login-activity', start);
  useRealtimeEvent('error', (error) => {
    if (isRefusal(error)) log.note('Realtime error', error);
    else log.warn('Realtime error', error);
  });
  return null;
}
