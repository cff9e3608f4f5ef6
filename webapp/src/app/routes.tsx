import type { RouteObject } from 'react-router';
import { ScrollRestoration, Outlet } from 'react-router';
import { SignedInOnly, VisitorsOnly } from './guards';
import { ErrorScreen } from './screens/ErrorScreen';
import { NotFoundScreen } from './screens/NotFoundScreen';
import { Splash } from '@/shared/ui/Splash';
import { SplashScreen, StartScreen } from './screens/StartScreen';

function Root() {
  return (
    <>
      <ScrollRestoration />
      <Outlet />
    </>
  );
}

/** A page in a chunk of its own. */
function page(load: () => Promise<{ default: React.ComponentType }>) {
  return async () => ({ Component: (await load()).default });
}

const replay = () => import('@/features/replay/ReplayPage');

export const routes: RouteObject[] = [
  {
    element: <Root />,
    errorElement: <ErrorScreen />,
    hydrateFallbackElement: <Splash />,
    children: [
      { path: '/', element: <StartScreen /> },
      { path: '/hello', lazy: page(() => import('@/features/landing/LandingPage')) },
      { path: '/app', element: <SplashScreen /> },
      {
        element: <VisitorsOnly />,
        children: [
          {
            lazy: page(() => import('./layouts/AuthLayout')),
            children: [
              { path: '/login', lazy: page(() => import('@/features/auth/LoginPage')) },
              { path: '/register', lazy: page(() => import('@/features/auth/RegisterPage')) },
              { path: '/setup', lazy: page(() => import('@/features/auth/SetupPage')) },
            ],
          },
        ],
      },
      {
        element: <SignedInOnly />,
        children: [
          {
            lazy: page(() => import('./layouts/AppLayout')),
            children: [
              { path: '/app/home', lazy: page(() => import('@/features/home/HomePage')) },
              { path: '/app/practice', lazy: page(() => import('@/features/practice/PracticeHubPage')) },
              { path: '/app/practice/local', lazy: page(() => import('@/features/practice/LocalPracticePage')) },
              { path: '/app/practice/ai', lazy: page(() => import('@/features/practice/AiPracticePage')) },
              { path: '/app/practice/remote', lazy: page(() => import('@/features/remote/RemoteInvitePage')) },
            ],
          },
          {
            lazy: page(() => import('./layouts/PlainLayout')),
            children: [{ path: '/app/game/:gameId/replay', lazy: page(replay) }],
          },
          {
            lazy: page(() => import('./layouts/GameLayout')),
            children: [{ path: '/app/game/:gameId', lazy: page(() => import('@/features/game/GamePage')) }],
          },
        ],
      },
      {
        lazy: page(() => import('./layouts/PlainLayout')),
        children: [
          { path: '/replay/moves/:notation', lazy: page(replay) },
          { path: '/replay/:shareToken', lazy: page(replay) },
        ],
      },
      { path: '*', element: <NotFoundScreen /> },
    ],
  },
];
