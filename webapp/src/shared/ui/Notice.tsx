import type { ReactNode } from 'react';
import classes from './Notice.module.css';

interface NoticeProps {
  drawing: ReactNode;
  title: string;
  children?: ReactNode;
}

/** A page or screen with a single message. */
export function Notice({ drawing, title, children }: NoticeProps) {
  return (
    <main className={classes.notice}>
      <title>{`${title} · Morpion`}</title>
      <div className={classes.drawing}>{drawing}</div>
      <h1>{title}</h1>
      {children}
    </main>
  );
}
