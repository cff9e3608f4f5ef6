import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import LandingPage from '@/features/landing/LandingPage';
import { selectIntendedUrl, selectLoginStatus } from '@/shared/session/sessionSlice';
import { lastUser } from '@/shared/session/storedSession';
import { Splash } from '@/shared/ui/Splash';
import { RedirectToIntended } from '../guards';
import { useAppSelector } from '@/shared/storeHooks';

/** How long the splash is shown before visitors are redirected to /hello. */
export const SPLASH_REDIRECT_MS = 100;

/**
 * `/`: the landing page for visitors, in the first chunk so that its document is replaced in one step. Signed-in users
 * go to the intended URL, else to /app/home.
 */
export function StartScreen() {
  const status = useAppSelector(selectLoginStatus);
  const intended = useAppSelector(selectIntendedUrl);
  if (status === 'login' || status === 'connecting') return <RedirectToIntended to={intended ?? '/app/home'} />;
  // A former user of this browser is most likely still signed in and should not see the landing page flash.
  if (status === 'checking' && lastUser() !== null) return <Splash />;
  return <LandingPage />;
}

/** `/app`: waits for the login check and then redirects. */
export function SplashScreen() {
  const status = useAppSelector(selectLoginStatus);
  const navigate = useNavigate();
  useEffect(() => {
    if (status === 'checking') return;
    const target = status === 'notLogin' ? '/hello' : '/app/home';
    const timer = setTimeout(() => void navigate(target, { replace: true }), SPLASH_REDIRECT_MS);
    return () => clearTimeout(timer);
  }, [status, navigate]);
  return <Splash />;
}
