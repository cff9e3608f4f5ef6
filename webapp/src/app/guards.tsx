import { useEffect, useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { Navigate, Outlet, useLocation } from 'react-router';
import {
  selectHasLeft,
  selectIntendedUrl,
  selectLoginStatus,
  selectUser,
  urlIntended,
} from '@/shared/session/sessionSlice';
import { Splash } from '@/shared/ui/Splash';

/** Sends visitors to /login (to /hello after their own sign-out) and remembers where they wanted to go (account and platform, section 2). */
export function SignedInOnly() {
  const status = useSelector(selectLoginStatus);
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

/** Takes the signed-in away from /login and /register: to where they wanted to go, else to /app/home. */
export function VisitorsOnly() {
  const status = useSelector(selectLoginStatus);
  const intended = useSelector(selectIntendedUrl);
  if (status === 'checking') return <Splash />;
  return status === 'notLogin' ? <Outlet /> : <GoOn to={intended ?? '/app/home'} />;
}

/** Uses the remembered path up: it leads there once. */
function GoOn({ to }: { to: string }) {
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
