import { Link } from 'react-router';
import { Brand } from './Brand';
import buttons from './buttons.module.css';
import classes from './PublicHeader.module.css';
import { ThemeSwitch } from './ThemeSwitch';

/** The top of every public page (account and platform, section 2): 80 px, 70 px at 768 px and narrower. */
export function PublicHeader() {
  return (
    <header className={classes.header}>
      <div className={classes.inner}>
        <Brand to="/" />
        <nav className={classes.nav} aria-label="Main">
          <ThemeSwitch />
          <Link to="/tournaments" className={`${classes.place} ${classes.wide}`}>
            Tournaments
          </Link>
          <Link to="/login" className={`${buttons.button} ${classes.wide}`}>
            Login
          </Link>
          <Link to="/register" className={buttons.primary}>
            Sign Up
          </Link>
        </nav>
      </div>
    </header>
  );
}
