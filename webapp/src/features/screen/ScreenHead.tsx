import type { ReactNode } from 'react';
import classes from './ScreenHead.module.css';

interface ScreenHeadProps {
  title: string;
  /** Format and round. */
  about: string;
  /** What it counts down to, or how far the event is. */
  clock: ReactNode;
}

/** The head of the big screen. */
export function ScreenHead({ title, about, clock }: ScreenHeadProps) {
  return (
    <header className={classes.head}>
      <div className={classes.what}>
        <h1>{title}</h1>
        <p>{about}</p>
      </div>
      {clock}
    </header>
  );
}
