import { lazy, Suspense, useEffect } from 'react';
import { useSelector } from 'react-redux';
import { Navigate, useNavigate } from 'react-router';
import { selectLoginStatus } from '@/shared/session/sessionSlice';
import { lastUser } from '@/shared/session/storedSession';
import { Splash } from '@/shared/ui/Splash';

const LandingPage = lazy(() => import('@/features/landing/LandingPage'));

/** Account and platform, section 9. */
export const SPLASH_REDIRECT_MS = 100;

/** `/`: the landing page for visitors, /app/home for the signed-in. */
export function StartScreen() {
  const status = useSelector(selectLoginStatus);
  if (status === 'login' || status === 'connecting') return <Navigate to="/app/home" replace />;
  // Whoever signed in here before is most likely signed in still and should not see the landing page flash by.
  if (status === 'checking' && lastUser() !== null) return <Splash />;
  return (
    <Suspense fallback={null}>
      <LandingPage />
    </Suspense>
  );
}

/** `/app`: waits for the login check and then leads on. */
export function SplashScreen() {
  const status = useSelector(selectLoginStatus);
  const navigate = useNavigate();
  useEffect(() => {
    if (status === 'checking') return;
    const target = status === 'notLogin' ? '/hello' : '/app/home';
    const timer = setTimeout(() => void navigate(target, { replace: true }), SPLASH_REDIRECT_MS);
    return () => clearTimeout(timer);
  }, [status, navigate]);
  return <Splash />;
}
