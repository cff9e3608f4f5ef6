import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { BackIcon } from './icons';
import classes from './PageHeading.module.css';

interface PageHeadingProps {
  title: string;
  /** What the document is called, if it is a part of what the heading says. */
  documentTitle?: string;
  /** The target of the back button. */
  back?: { to: string; label: string };
  children?: ReactNode;
}

export function PageHeading({ title, documentTitle = title, back, children }: PageHeadingProps) {
  return (
    <div className={classes.heading}>
      <title>{`${documentTitle} · Morpion`}</title>
      {back && (
        <Link to={back.to} className={classes.back} aria-label={back.label}>
          <BackIcon />
        </Link>
      )}
      <div>
        <h1>{title}</h1>
        {children && <p>{children}</p>}
      </div>
    </div>
  );
}
