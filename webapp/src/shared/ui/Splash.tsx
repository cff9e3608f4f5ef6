import type { ReactNode } from 'react';
import { Logo } from '@/shared/illustrations';
import classes from './Splash.module.css';

interface SplashProps {
  children?: string;
  /** Actions for when it takes too long. */
  actions?: ReactNode;
}

/** Fills the screen while something is loading. */
export function Splash({ children = 'Loading…', actions }: SplashProps) {
  return (
    <div className={classes.splash} role="status">
      <Logo className={classes.logo} />
      <p>{children}</p>
      {actions !== undefined && <div className={classes.actions}>{actions}</div>}
    </div>
  );
}
