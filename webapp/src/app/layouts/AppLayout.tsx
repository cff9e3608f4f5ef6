import { useSelector } from 'react-redux';
import { NavLink, Outlet } from 'react-router';
import { InvitationNotices } from '@/features/invitations/InvitationNotices';
import { selectUser } from '@/shared/session/sessionSlice';
import { useSignOut } from '@/shared/session/useSignOut';
import { Brand } from '@/shared/ui/Brand';
import { ConnectionBanner } from '@/shared/ui/ConnectionBanner';
import { HomeIcon, PracticeIcon, SignOutIcon } from '@/shared/ui/icons';
import { ThemeSwitch } from '@/shared/ui/ThemeSwitch';
import classes from './AppLayout.module.css';
import { UiProvider } from './UiProvider';

const PLACES = [
  { to: '/app/home', label: 'Home', icon: <HomeIcon /> },
  { to: '/app/practice', label: 'Practice', icon: <PracticeIcon /> },
] as const;

/** Around the signed-in screens: side navigation from 800 px, a bottom bar below (account and platform, section 2). */
export default function AppLayout() {
  const user = useSelector(selectUser);
  const signOut = useSignOut();
  return (
    <UiProvider>
      <a href="#content" className={classes.skip}>
        Skip to content
      </a>
      <ConnectionBanner />
      <InvitationNotices />
      <div className={classes.frame}>
        <header className={classes.side}>
          <Brand to="/app/home" />
          <nav className={classes.places} aria-label="Main">
            {PLACES.map(({ to, label, icon }) => (
              <NavLink key={to} to={to} className={classes.place ?? ''}>
                {icon}
                {label}
              </NavLink>
            ))}
          </nav>
          <div className={classes.own}>
            <span className={classes.name}>{user?.displayName || user?.username}</span>
            <ThemeSwitch />
            <button type="button" className={classes.signOut} onClick={() => void signOut()} aria-label="Log Out">
              <SignOutIcon />
            </button>
          </div>
        </header>
        <main id="content" className={classes.content} tabIndex={-1}>
          <Outlet />
        </main>
      </div>
    </UiProvider>
  );
}
