import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { Suspension } from '@/api/account';
import { selectSuspension } from '@/shared/session/sessionSlice';
import { suspendedPage, type SuspendedState } from '@/shared/session/suspendedPage';
import { useAppSelector } from '@/shared/storeHooks';

/** Redirects to the reason at the moment of a suspension, also from pages that visitors may see. */
export function useSuspensionRedirect(): void {
  const suspension = useAppSelector(selectSuspension);
  const location = useLocation();
  const navigate = useNavigate();
  const shown = useRef<Suspension | null>(null);
  useEffect(() => {
    if (suspension === null) return;
    const here = location.state as SuspendedState | null;
    if (here?.suspension === suspension) shown.current = suspension;
    if (shown.current === suspension) return;
    const { to, state } = suspendedPage(suspension);
    void navigate(to, { state, replace: true });
    // Again after any other navigation, which would have replaced this one.
  }, [suspension, location, navigate]);
}
