import { Link } from 'react-router';
import { selectUser } from '@/shared/session/sessionSlice';
import textLink from '@/shared/ui/textLink.module.css';
import classes from './GuestBanner.module.css';
import { useAppSelector } from '@/shared/storeHooks';

/** Reminds guests that only an account keeps their games. */
export function GuestBanner() {
  const user = useAppSelector(selectUser);
  if (!user?.isTempUser) return null;
  return (
    <aside className={classes.banner} aria-label="Guest">
      <p>
        You play as <strong>{user.displayName || user.username}</strong>.
      </p>
      <Link to="/register" className={textLink.link} aria-label="Keep your name: create an account">
        <span>
          Keep your name<span className={classes.how}>: create an account</span>
        </span>
      </Link>
    </aside>
  );
}
