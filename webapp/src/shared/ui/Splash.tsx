import { Logo } from '@/shared/illustrations';
import classes from './Splash.module.css';

/** Fills the screen while something has to be known first. */
export function Splash({ children = 'Loading…' }: { children?: string }) {
  return (
    <div className={classes.splash} role="status">
      <Logo className={classes.logo} />
      <p>{children}</p>
    </div>
  );
}
