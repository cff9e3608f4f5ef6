import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { selectHasSignedOut, signOutShown } from '@/shared/session/sessionSlice';
import { useAppDispatch, useAppSelector } from '@/shared/storeHooks';

const EXIT = '/hello';

/** Leads whoever signed out to /hello, from whichever page and on whichever tab. */
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
    // Again after each other navigation, which would have taken this one's place.
  }, [hasSignedOut, isOut, key, navigate, dispatch]);
}
