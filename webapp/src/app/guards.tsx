import { useDeferredValue, useEffect, useRef, useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { Navigate, Outlet, useLocation, useSearchParams } from 'react-router';
import {
  selectHasLeft,
  selectIntendedUrl,
  selectLoginStatus,
  selectUser,
  urlIntended,
} from '@/shared/session/sessionSlice';
import { lastUser } from '@/shared/session/storedSession';
import { usePlayAsGuest } from '@/shared/session/usePlayAsGuest';
import { Splash } from '@/shared/ui/Splash';

/** What it brings once it is known is rendered in slices: a whole page at once would hold a phone up. */
export function useLoginStatus() {
  const status = useSelector(selectLoginStatus);
  return useDeferredValue(status) === 'checking' ? 'checking' : status;
}

/** Waits until it is known who is there. */
export function Everybody() {
  return useLoginStatus() === 'checking' ? <Splash /> : <Outlet />;
}

/**
 * Sends visitors to /login (to /hello after their own sign-out) and remembers where they wanted to go:
 * docs/behaviour/webapp.md#routes-and-guards.
 */
export function SignedInOnly() {
  const status = useLoginStatus();
  const dispatch = useDispatch();
  const { pathname, search } = useLocation();
  const hasLeft = useSelector(selectHasLeft);
  const isVisitor = status === 'notLogin';
  useEffect(() => {
    if (isVisitor && !hasLeft) dispatch(urlIntended(pathname + search));
  }, [isVisitor, hasLeft, pathname, search, dispatch]);
  if (status === 'checking') return <Splash />;
  return isVisitor ? <Navigate to={hasLeft ? '/hello' : '/login'} replace /> : <Outlet />;
}

/**
 * Takes the signed-in away from /login and /register: to where they wanted to go, else to /app/home. Guests may stay:
 * there they become somebody.
 */
export function VisitorsOnly() {
  const status = useLoginStatus();
  const intended = useSelector(selectIntendedUrl);
  const isGuest = useSelector(selectUser)?.isTempUser ?? false;
  const [query] = useSearchParams();
  const isNobody = status === 'notLogin' || isGuest;
  // The way back from a provider that made the account.
  const home = query.has('welcome') ? '/app/accountSetup' : '/app/home';
  // Of whom nobody was ever signed in here, nothing else is to be expected.
  if (status === 'checking') return lastUser() === null ? <Outlet /> : <Splash />;
  return isNobody ? <Outlet /> : <GoOn to={intended ?? home} />;
}

/**
 * A game's page, where an invite link leads too: whoever opens one without an account is let in as a guest and plays
 * at once. Where guests are not let in, it asks to sign in like any other page.
 */
export function InvitedOrSignedIn() {
  const status = useLoginStatus();
  const hasLeft = useSelector(selectHasLeft);
  const [query] = useSearchParams();
  const isInvited = status === 'notLogin' && !hasLeft && query.has('invite');
  return isInvited ? <EnteringGuest /> : <SignedInOnly />;
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
  return isOffered === false || failure !== null ? <SignedInOnly /> : <Splash />;
}

/** Uses the remembered path up: it leads there once. */
export function GoOn({ to }: { to: string }) {
  const [target] = useState(to);
  const dispatch = useDispatch();
  useEffect(() => {
    dispatch(urlIntended(null));
  }, [dispatch]);
  return <Navigate to={target} replace />;
}

/** Sends whoever is no admin to /app/home; the server decides for itself what it answers. */
export function AdminsOnly() {
  const user = useSelector(selectUser);
  return user?.isAdmin ? <Outlet /> : <Navigate to="/app/home" replace />;
}
