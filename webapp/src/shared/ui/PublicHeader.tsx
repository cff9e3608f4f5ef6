import { Link } from 'react-router';
import { Avatar } from '@/shared/people/Avatar';
import { selectUser } from '@/shared/session/sessionSlice';
import { Brand } from './Brand';
import buttons from './buttons.module.css';
import classes from './PublicHeader.module.css';
import { ThemeSwitch } from './ThemeSwitch';
import { useAppSelector } from '@/shared/storeHooks';

/**
 * The header of public pages: 80 px, 70 px at 768 px and narrower. Signed-in users get a link back to the app instead
 * of the sign-in; guests may still sign in or up.
 */
export function PublicHeader() {
  const user = useAppSelector(selectUser);
  return (
    <header className={classes.header}>
      <div className={classes.inner}>
        <Brand to="/" />
        <nav className={classes.nav} aria-label="Main">
          <ThemeSwitch />
          <Link to="/tournaments" className={`${classes.place} ${classes.wide}`}>
            Tournaments
          </Link>
          {(user === null || user.isTempUser) && (
            <Link to="/login" className={`${buttons.button} ${classes.wide}`}>
              Login
            </Link>
          )}
          {user?.isTempUser && (
            <Link to="/register" className={`${buttons.primary} ${classes.wide}`}>
              Sign Up
            </Link>
          )}
          {user === null ? (
            <Link to="/register" className={buttons.primary}>
              Sign Up
            </Link>
          ) : (
            <Link
              to="/app/home"
              className={classes.own}
              aria-label={`Home, signed in as ${user.displayName || user.username}`}
            >
              <Avatar name={user.displayName || user.username} picture={user.profile} size={36} />
              <span className={classes.name}>{user.displayName || user.username}</span>
            </Link>
          )}
        </nav>
      </div>
    </header>
  );
}
