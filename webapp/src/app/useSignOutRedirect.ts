import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { selectHasSignedOut, signOutShown } from '@/shared/session/sessionSlice';
import { useAppDispatch, useAppSelector } from '@/shared/storeHooks';

const EXIT = '/hello';

/** Redirects to /hello after a sign-out, on every page and in every tab. */
export function useSignOutRedirect(): void {
  const hasSignedOut = useAppSelector(selectHasSignedOut);
  const { pathname, key } = useLocation();
  const isOut = pathname === EXIT;
  const navigate = useNavigate();
  const dispatch = useAppDispatch();
  useEffect(() => {
    if (!hasSignedOut) return;
    if (isOut) dispatch(signOutShown());
    else void navigate(EXIT, { replace: true });
    // Again after any other navigation, which would have replaced this one.
  }, [hasSignedOut, isOut, key, navigate, dispatch]);
}
