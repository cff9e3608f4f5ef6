import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { selectSuspension } from '@/shared/session/sessionSlice';
import { suspendedPage } from '@/shared/session/suspendedPage';
import { useAppSelector } from '@/shared/storeHooks';

/** Redirects to the reason at the moment of a suspension, also from pages that visitors may see. */
export function useSuspensionRedirect(): void {
  const suspension = useAppSelector(selectSuspension);
  const navigate = useNavigate();
  useEffect(() => {
    if (suspension === null) return;
    const { to, state } = suspendedPage(suspension);
    void navigate(to, { state, replace: true });
  }, [suspension, navigate]);
}
