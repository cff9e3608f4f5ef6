import type { RouteObject } from 'react-router';
import { Suspense } from 'react';
import { lazyPart } from '@/shared/ui/lazyPart';
import { Navigate, Outlet, ScrollRestoration } from 'react-router';
import { RequireAdmin, WaitForLogin, RequireInviteOrSignIn, RequireSignIn, RequireSignedOut } from './guards';
import { ErrorScreen } from './screens/ErrorScreen';
import { selectUser } from '@/shared/session/sessionSlice';
import { useAppSelector } from '@/shared/storeHooks';
import { Splash } from '@/shared/ui/Splash';
import LandingPage from '@/features/landing/LandingPage';
import { useFocusOnHeading } from './useFocusOnHeading';
import { useSignOutRedirect } from './useSignOutRedirect';
import { useEarlyScroll } from './useEarlyScroll';
import { useSuspensionRedirect } from './useSuspensionRedirect';
import { SplashScreen, StartScreen } from './screens/StartScreen';

// Visitors need none.
const PageAlerts = lazyPart(() => import('@/features/alerts/PageAlerts'));
const PushConfirmation = lazyPart(() => import('@/features/alerts/PushConfirmation'));
const QuickMatchSearch = lazyPart(() => import('@/features/quickMatch/QuickMatchSearch'));

function Root() {
  const isSignedIn = useAppSelector(selectUser) !== null;
  useEarlyScroll();
  useSignOutRedirect();
  useSuspensionRedirect();
  useFocusOnHeading();
  return (
    <>
      <ScrollRestoration />
      <Outlet />
      {/* Each on its own: alerts do not wait for the search. */}
      <Suspense fallback={null}>{isSignedIn && <PageAlerts />}</Suspense>
      <Suspense fallback={null}>{isSignedIn && <QuickMatchSearch />}</Suspense>
      <Suspense fallback={null}>{isSignedIn && <PushConfirmation />}</Suspense>
    </>
  );
}

/** A page in its own chunk. */
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
      { path: '/app', element: <SplashScreen /> },
      {
        lazy: page(() => import('./layouts/PublicLayout')),
        children: [
          { path: '/tournaments', lazy: page(() => import('@/features/public/TournamentsPage')) },
          { path: '/legal', lazy: page(() => import('@/features/public/LegalPage')) },
          { path: '/terms', lazy: page(() => import('@/features/public/TermsPage')) },
          { path: '/termsconditon', lazy: page(() => import('@/features/public/TermsPage')) },
          { path: '/privacy-policy', lazy: page(() => import('@/features/public/PrivacyPage')) },
          { path: '/privacy', lazy: page(() => import('@/features/public/PrivacyPage')) },
          { path: '/cookies', lazy: page(() => import('@/features/public/CookiesPage')) },
        ],
      },
      {
        element: <RequireSignedOut />,
        children: [
          { path: '/hello', element: <LandingPage /> },
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
        element: <WaitForLogin />,
        children: [
          {
            lazy: page(() => import('./layouts/AuthLayout')),
            children: [
              { path: '/changepassword', lazy: page(() => import('@/features/recovery/RecoveryPage')) },
              { path: '/new-password', lazy: page(() => import('@/features/passwordLink/PasswordLinkPage')) },
              { path: '/email-undo', lazy: page(() => import('@/features/emailUndo/EmailUndoPage')) },
            ],
          },
          {
            lazy: page(() => import('./layouts/PlainLayout')),
            children: [
              { path: '/replay/moves/:code', lazy: page(replay) },
              { path: '/replay/:shareToken', lazy: page(replay) },
              { path: '/screen/:eventId', lazy: page(() => import('@/features/screen/ScreenPage')) },
              {
                element: <RequireSignIn />,
                children: [
                  { path: '/app/game/:gameId/replay', lazy: page(replay) },
                  { path: '/app/pro', lazy: page(() => import('@/features/subscription/ProPage')) },
                ],
              },
            ],
          },
          {
            lazy: page(() => import('./layouts/AppLayout')),
            children: [
              { path: '/app/events', lazy: page(() => import('@/features/events/EventsPage')) },
              { path: '/app/series', lazy: page(() => import('@/features/events/SeriesListPage')) },
              { path: '/app/series/:seriesId', lazy: page(() => import('@/features/events/SeriesPage')) },
              { path: '/join', lazy: page(() => import('@/features/joinByCode/JoinPage')) },
              { path: '/app/puzzle/:day?', lazy: page(() => import('@/features/puzzle/PuzzlePage')) },
              { path: '/app/watch', lazy: page(() => import('@/features/watch/WatchPage')) },
              { path: '/app/players/:username', lazy: page(() => import('@/features/players/PlayerPage')) },
              { path: '/app/players/:username/games', lazy: page(() => import('@/features/players/HistoryPage')) },
              { path: '/app/events/view/:eventId', lazy: page(() => import('@/features/events/EventPage')) },
              {
                element: <RequireSignIn />,
                children: [
                  { path: '/app/home', lazy: page(() => import('@/features/home/HomePage')) },
                  { path: '/app/host', lazy: page(() => import('@/features/hosting/HostPage')) },
                  { path: '/app/host/:eventId', lazy: page(() => import('@/features/hosting/HostDeskPage')) },
                  { path: '/app/ratings', lazy: page(() => import('@/features/players/RatingsPage')) },
                  { path: '/app/play', lazy: page(() => import('@/features/quickMatch/QuickMatchPage')) },
                  { path: '/app/accountSetup', lazy: page(() => import('@/features/accountSetup/AccountSetupPage')) },
                  { path: '/app/setting/:id?', lazy: page(() => import('./screens/SettingsScreen')) },
                  { path: '/app/practice', lazy: page(() => import('@/features/practice/PracticeHubPage')) },
                  { path: '/app/practice/open', lazy: page(() => import('@/features/replay/OpenGamePage')) },
                  { path: '/app/practice/local', lazy: page(() => import('@/features/practice/LocalPracticePage')) },
                  { path: '/app/practice/ai', lazy: page(() => import('@/features/practice/AiPracticePage')) },
                  { path: '/app/kyc', lazy: page(() => import('@/features/public/KycPage')) },
                  { path: '/app/practice/remote', lazy: page(() => import('@/features/remote/RemoteInvitePage')) },
                  {
                    element: <RequireAdmin />,
                    children: [
                      { path: '/app/admin', element: <Navigate to="/app/admin/events" replace /> },
                      { path: '/app/admin/events', lazy: page(() => import('@/features/adminEvents/AdminEventsPage')) },
                      {
                        path: '/app/admin/events/:eventId',
                        lazy: page(() => import('@/features/adminEvents/AdminEventPage')),
                      },
                      { path: '/app/admin/series', lazy: page(() => import('@/features/adminEvents/AdminSeriesPage')) },
                      {
                        path: '/app/admin/series/new',
                        lazy: page(() => import('@/features/adminEvents/NewSeriesPage')),
                      },
                      {
                        path: '/app/admin/series/:seriesId',
                        lazy: page(() => import('@/features/adminEvents/EditSeriesPage')),
                      },
                      { path: '/app/admin/logs', lazy: page(() => import('@/features/adminLogs/LogsPage')) },
                      { path: '/app/admin/audit', lazy: page(() => import('@/features/adminAudit/AuditPage')) },
                      { path: '/app/admin/users', lazy: page(() => import('@/features/adminUsers/UsersPage')) },
                      { path: '/app/admin/reports', lazy: page(() => import('@/features/adminReports/ReportsPage')) },
                      {
                        path: '/app/admin/engine-use',
                        lazy: page(() => import('@/features/adminEngineUse/EngineUsePage')),
                      },
                      { path: '/app/admin/games', lazy: page(() => import('@/features/adminGames/LiveGamesPage')) },
                      { path: '/app/admin/tokens', lazy: page(() => import('@/features/adminTokens/TokensPage')) },
                      {
                        path: '/app/admin/webhooks',
                        lazy: page(() => import('@/features/adminWebhooks/WebhooksPage')),
                      },
                      { path: '/app/admin/server', lazy: page(() => import('@/features/adminServer/ServerPage')) },
                      { path: '/app/admin/billing', lazy: page(() => import('@/features/adminBilling/BillingPage')) },
                    ],
                  },
                ],
              },
            ],
          },
        ],
      },
      {
        element: <RequireInviteOrSignIn />,
        children: [
          {
            lazy: page(() => import('./layouts/GameLayout')),
            children: [
              { path: '/app/game/event/:eventId', lazy: page(() => import('@/features/eventRoom/EventRoomPage')) },
              { path: '/app/game/:gameId', lazy: page(() => import('@/features/game/GamePage')) },
            ],
          },
        ],
      },
      { path: '*', lazy: page(() => import('./screens/NotFoundScreen')) },
    ],
  },
];
