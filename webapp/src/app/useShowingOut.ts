import { useEffect } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { useLocation, useNavigate } from 'react-router';
import { selectHasLeft, shownOut } from '@/shared/session/sessionSlice';

const EXIT = '/hello';

/** Leads whoever signed out to /hello, from whichever page and on whichever tab. */
export function useShowingOut(): void {
  const hasLeft = useSelector(selectHasLeft);
  const { pathname, key } = useLocation();
  const isOut = pathname === EXIT;
  const navigate = useNavigate();
  const dispatch = useDispatch();
  useEffect(() => {
    if (!hasLeft) return;
    if (isOut) dispatch(shownOut());
    else void navigate(EXIT, { replace: true });
    // Again after each other navigation, which would have taken this one's place.
  }, [hasLeft, isOut, key, navigate, dispatch]);
}
