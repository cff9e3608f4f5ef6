import type { PropsWithChildren, ReactNode } from 'react';
import classes from './embed.module.css';

interface FrameProps {
  title: string;
  /** Under the title. */
  detail?: ReactNode;
  /** The page on this server that shows all of it. */
  to: string;
}

/** What every embedded part has: a title, and the way to the page that it is of, which opens outside of the frame. */
export function Frame({ title, detail, to, children }: PropsWithChildren<FrameProps>) {
  return (
    <main className={classes.frame}>
      <header className={classes.head}>
        <h1>{title}</h1>
        {detail !== undefined && <p>{detail}</p>}
      </header>
      {children}
      <footer className={classes.foot}>
        <a href={to} target="_blank" rel="noopener">
          Open on Morpion
        </a>
      </footer>
    </main>
  );
}

/** In place of what cannot be shown. */
export function Nothing({ asked, what }: { asked: 'loading' | 'notShown' | 'failed'; what: string }) {
  if (asked === 'loading') {
    return (
      <main className={classes.frame} aria-busy="true">
        <p role="status">Loading…</p>
      </main>
    );
  }
  return (
    <Frame title={asked === 'notShown' ? `No such ${what}` : 'Morpion is not responding'} to="/">
      <p role="status">
        {asked === 'notShown' ? `This ${what} does not exist, or is not public.` : 'Trying again in a moment.'}
      </p>
    </Frame>
  );
}
