import { useDeferredValue, useEffect, useRef, useState } from 'react';
import { Navigate, Outlet, useLocation, useSearchParams } from 'react-router';
import {
  selectHasSignedOut,
  selectIntendedUrl,
  selectLoginStatus,
  selectUser,
  urlIntended,
} from '@/shared/session/sessionSlice';
import { lastUser } from '@/shared/session/storedSession';
import { usePlayAsGuest } from '@/shared/session/usePlayAsGuest';
import { Splash } from '@/shared/ui/Splash';
import { useAppDispatch, useAppSelector } from '@/shared/storeHooks';

/** What it brings once it is known is rendered in slices: a whole page at once would hold a phone up. */
export function useLoginStatus() {
  const status = useAppSelector(selectLoginStatus);
  return useDeferredValue(status) === 'checking' ? 'checking' : status;
}

/** Waits until it is known who is there. */
export function WaitForLogin() {
  return useLoginStatus() === 'checking' ? <Splash /> : <Outlet />;
}

/**
 * Sends visitors to /login (to /hello after their own sign-out) and remembers where they wanted to go:
 * docs/behaviour/webapp.md#routes-and-guards.
 */
export function RequireSignIn() {
  const status = useLoginStatus();
  const dispatch = useAppDispatch();
  const { pathname, search } = useLocation();
  const hasSignedOut = useAppSelector(selectHasSignedOut);
  const isVisitor = status === 'notLogin';
  useEffect(() => {
    if (isVisitor && !hasSignedOut) dispatch(urlIntended(pathname + search));
  }, [isVisitor, hasSignedOut, pathname, search, dispatch]);
  if (status === 'checking') return <Splash />;
  return isVisitor ? <Navigate to={hasSignedOut ? '/hello' : '/login'} replace /> : <Outlet />;
}

/**
 * Takes the signed-in away from /login and /register: to where they wanted to go, else to /app/home. Guests may stay:
 * there they become somebody.
 */
export function RequireSignedOut() {
  const status = useLoginStatus();
  const intended = useAppSelector(selectIntendedUrl);
  const isGuest = useAppSelector(selectUser)?.isTempUser ?? false;
  const [query] = useSearchParams();
  const isNobody = status === 'notLogin' || isGuest;
  // The way back from a provider that made the account.
  const home = query.has('welcome') ? '/app/accountSetup' : '/app/home';
  // Of whom nobody was ever signed in here, nothing else is to be expected.
  if (status === 'checking') return lastUser() === null ? <Outlet /> : <Splash />;
  return isNobody ? <Outlet /> : <RedirectToIntended to={intended ?? home} />;
}

/**
 * A game's page, where an invite link leads too: whoever opens one without an account is let in as a guest and plays
 * at once. Where guests are not let in, it asks to sign in like any other page.
 */
export function RequireInviteOrSignIn() {
  const status = useLoginStatus();
  const hasSignedOut = useAppSelector(selectHasSignedOut);
  const [query] = useSearchParams();
  const isInvited = status === 'notLogin' && !hasSignedOut && query.has('invite');
  return isInvited ? <EnteringGuest /> : <RequireSignIn />;
}

function EnteringGuest() {
  const { isOffered, failure, enter } = usePlayAsGuest();
  const hasEntered = useRef(false);
  useEffect(() => {
    // Once: a second guest would find the seat taken by the first.
    if (!isOffered || hasEntered.current) return;
    hasEntered.current = true;
    void enter();
  }, [isOffered, enter]);
  return isOffered === false || failure !== null ? <RequireSignIn /> : <Splash />;
}

/** Uses the remembered path up: it leads there once. */
export function RedirectToIntended({ to }: { to: string }) {
  const [target] = useState(to);
  const dispatch = useAppDispatch();
  useEffect(() => {
    dispatch(urlIntended(null));
  }, [dispatch]);
  return <Navigate to={target} replace />;
}

/** Sends whoever is no admin to /app/home; the server decides for itself what it answers. */
export function RequireAdmin() {
  const user = useAppSelector(selectUser);
  return user?.isAdmin ? <Outlet /> : <Navigate to="/app/home" replace />;
}
