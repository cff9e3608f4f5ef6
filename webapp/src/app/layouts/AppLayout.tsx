import { Link, NavLink, useLocation } from 'react-router';
import { GuestBanner } from '@/features/auth/GuestBanner';
import { DeclineNotices } from '@/features/invitations/DeclineNotices';
import { GuestSignOutDialog } from '@/features/auth/GuestSignOutDialog';
import { EventNotices } from '@/features/eventNotices/EventNotices';
import { InvitationNotices } from '@/features/invitations/InvitationNotices';
import { PersonAvatar, PersonLabel } from '@/shared/people/PersonLabel';
import { playerPath } from '@/shared/people/playerPath';
import { usePlanSummary } from '@/shared/plan/usePlanSummary';
import { selectLoginStatus, selectUser } from '@/shared/session/sessionSlice';
import { useSignOut } from '@/shared/session/useSignOut';
import { Brand } from '@/shared/ui/Brand';
import { ConnectionBanner } from '@/shared/ui/ConnectionBanner';
import buttons from '@/shared/ui/buttons.module.css';
import {
  AdminIcon,
  EventsIcon,
  EyeIcon,
  HomeIcon,
  PeopleIcon,
  PracticeIcon,
  PuzzleIcon,
  SettingsIcon,
  SignOutIcon,
} from '@/shared/ui/icons';
import { ProBadge } from '@/shared/ui/ProBadge';
import { ThemeSwitch } from '@/shared/ui/ThemeSwitch';
import { AdminNav } from './AdminNav';
import classes from './AppLayout.module.css';
import { SecondFactorNotice } from './SecondFactorNotice';
import { UiProvider } from './UiProvider';
import { useAppSelector } from '@/shared/storeHooks';

const EVENTS = { to: '/app/events', label: 'Events', icon: <EventsIcon /> };
const WATCH = { to: '/app/watch', label: 'Watch', icon: <EyeIcon /> };
/** What visitors see of /app. */
const OPEN_PLACES = [EVENTS, WATCH, { to: '/app/puzzle', label: 'Puzzle', icon: <PuzzleIcon /> }];
const PLACES = [
  { to: '/app/home', label: 'Home', icon: <HomeIcon /> },
  EVENTS,
  WATCH,
  { to: '/app/practice', label: 'Practice', icon: <PracticeIcon /> },
];
/** Beside these where there is room; on a phone one's own page leads to both. */
const MORE_PLACES = [
  { to: '/app/ratings', label: 'Players', icon: <PeopleIcon /> },
  { to: '/app/setting', label: 'Settings', icon: <SettingsIcon /> },
];

/**
 * The layout of /app, of which visitors see events and the puzzle: side navigation from 800 px, a bottom bar below. See
 * docs/behaviour/webapp.md#navigation.
 */
export default function AppLayout() {
  const user = useAppSelector(selectUser);
  const isVisitor = useAppSelector(selectLoginStatus) === 'notLogin';
  const signOut = useSignOut();
  const person = user === null ? null : { ...user, profileUrl: user.profile };
  const ownPage = (user === null ? undefined : playerPath(user.username)) ?? '/app/setting';
  return (
    <UiProvider>
      <a href="#content" className={classes.skip}>
        Skip to content
      </a>
      <ConnectionBanner />
      <InvitationNotices />
      <DeclineNotices />
      <GuestSignOutDialog />
      <EventNotices />
      <div className={classes.frame}>
        <header className={classes.side}>
          <Brand to={isVisitor ? '/' : '/app/home'} />
          <div className={classes.lists}>
            <nav className={classes.places} aria-label="Main" data-tab-bar>
              {(isVisitor ? OPEN_PLACES : PLACES).map(({ to, label, icon }) => (
                <NavLink key={to} to={to} className={classes.place ?? ''}>
                  {icon}
                  {label}
                </NavLink>
              ))}
              {!isVisitor && (
                <>
                  {MORE_PLACES.map(({ to, label, icon }) => (
                    <NavLink key={to} to={to} className={`${classes.place} ${classes.wideOnly}`}>
                      {icon}
                      {label}
                    </NavLink>
                  ))}
                  <NavLink to={ownPage} className={`${classes.place} ${classes.narrowOnly}`}>
                    {person === null ? <PeopleIcon /> : <PersonAvatar person={person} size={24} />}
                    You
                  </NavLink>
                </>
              )}
              {user?.isAdmin && (
                <NavLink to="/app/admin" className={`${classes.place} ${classes.narrowOnly}`}>
                  <AdminIcon />
                  Admin
                </NavLink>
              )}
            </nav>
            {user?.isAdmin && <AdminNav />}
          </div>
          <Upgrade />
          <div className={classes.own}>
            <span className={classes.who}>
              {person !== null && (
                <Link to={ownPage} className={classes.name ?? ''}>
                  <PersonLabel person={person} size={32} />
                </Link>
              )}
              {user?.isProUser && <ProBadge />}
            </span>
            <ThemeSwitch />
            {isVisitor ? (
              <Link to="/login" className={buttons.button}>
                Login
              </Link>
            ) : (
              <button type="button" className={buttons.icon} onClick={() => void signOut()} aria-label="Log Out">
                <SignOutIcon />
              </button>
            )}
          </div>
        </header>
        <main id="content" className={classes.content} tabIndex={-1}>
          <GuestBanner />
          <SecondFactorNotice />
        </main>
      </div>
    </UiProvider>
  );
}

/** A link to Pro, floating beside the content of Home, for users who can buy it. */
function Upgrade() {
  const user = useAppSelector(selectUser);
  const isHome = useLocation().pathname === '/app/home';
  const { isForSale } = usePlanSummary(!isHome || user === null || user.isProUser || user.isTempUser);
  return isForSale ? (
    <Link to="/app/pro" className={`${buttons.primary} ${classes.upgrade}`}>
      Upgrade to Pro
    </Link>
  ) : null;
}
