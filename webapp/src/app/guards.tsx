import { useDeferredValue, useEffect, useRef, useState } from 'react';
import { Navigate, Outlet, useLocation, useSearchParams } from 'react-router';
import {
  selectHasSignedOut,
  selectIntendedUrl,
  selectLoginStatus,
  selectSuspension,
  selectUser,
  urlIntended,
} from '@/shared/session/sessionSlice';
import { suspendedPage } from '@/shared/session/suspendedPage';
import { lastUser } from '@/shared/session/storedSession';
import { usePlayAsGuest } from '@/shared/session/usePlayAsGuest';
import { Splash } from '@/shared/ui/Splash';
import { useAppDispatch, useAppSelector } from '@/shared/storeHooks';

/** Deferred, so that the page is rendered in slices: a whole page at once blocks a phone. */
export function useLoginStatus() {
  const status = useAppSelector(selectLoginStatus);
  return useDeferredValue(status) === 'checking' ? 'checking' : status;
}

/** Waits until the login check is done. */
export function WaitForLogin() {
  return useLoginStatus() === 'checking' ? <Splash /> : <Outlet />;
}

/**
 * Sends visitors to /login (to /hello after their own sign-out, to the reason if they were suspended) and remembers where they wanted to go:
 * docs/behaviour/webapp.md#routes-and-guards.
 */
export function RequireSignIn() {
  const status = useLoginStatus();
  const dispatch = useAppDispatch();
  const { pathname, search } = useLocation();
  const hasSignedOut = useAppSelector(selectHasSignedOut);
  const suspension = useAppSelector(selectSuspension);
  const isVisitor = status === 'notLogin';
  useEffect(() => {
    if (isVisitor && !hasSignedOut) dispatch(urlIntended(pathname + search));
  }, [isVisitor, hasSignedOut, pathname, search, dispatch]);
  if (status === 'checking') return <Splash />;
  if (!isVisitor) return <Outlet />;
  if (suspension !== null) return <Navigate {...suspendedPage(suspension)} replace />;
  return <Navigate to={hasSignedOut ? '/hello' : '/login'} replace />;
}

/**
 * Redirects signed-in users from /login and /register to the intended URL, else to /app/home. Guests may stay: they
 * create an account there.
 */
export function RequireSignedOut() {
  const status = useLoginStatus();
  const intended = useAppSelector(selectIntendedUrl);
  const isGuest = useAppSelector(selectUser)?.isTempUser ?? false;
  const [query] = useSearchParams();
  const isNobody = status === 'notLogin' || isGuest;
  // The return from a provider that created the account.
  const home = query.has('welcome') ? '/app/accountSetup' : '/app/home';
  // If nobody ever signed in here, the visitor is not expected to be signed in.
  if (status === 'checking') return lastUser() === null ? <Outlet /> : <Splash />;
  return isNobody ? <Outlet /> : <RedirectToIntended to={intended ?? home} />;
}

/**
 * The page of a game, also the target of invite links: a visitor with an invite is signed in as a guest and plays at
 * once. If the server does not allow guests, it requires a sign-in like any other page.
 */
export function RequireInviteOrSignIn() {
  const status = useLoginStatus();
  const hasSignedOut = useAppSelector(selectHasSignedOut);
  const isSuspended = useAppSelector(selectSuspension) !== null;
  const [query] = useSearchParams();
  const isInvited = status === 'notLogin' && !hasSignedOut && !isSuspended && query.has('invite');
  // Games of public events may be watched without signing in; the server says of which game that is.
  const isWatching = status === 'notLogin' && query.get('watch') === 'true';
  if (isWatching) return <Outlet />;
  return isInvited ? <EnteringGuest /> : <RequireSignIn />;
}

function EnteringGuest() {
  const { isOffered, failure, enter } = usePlayAsGuest();
  const hasEntered = useRef(false);
  useEffect(() => {
    // Only once: a second guest would find the seat taken by the first.
    if (!isOffered || hasEntered.current) return;
    hasEntered.current = true;
    void enter();
  }, [isOffered, enter]);
  return isOffered === false || failure !== null ? <RequireSignIn /> : <Splash />;
}

/** Redirects to the intended URL and forgets it. */
export function RedirectToIntended({ to }: { to: string }) {
  const [target] = useState(to);
  const dispatch = useAppDispatch();
  useEffect(() => {
    dispatch(urlIntended(null));
  }, [dispatch]);
  return <Navigate to={target} replace />;
}

/** Redirects everybody but admins to /app/home; the server checks every call itself. */
export function RequireAdmin() {
  const user = useAppSelector(selectUser);
  return user?.isAdmin ? <Outlet /> : <Navigate to="/app/home" replace />;
}
