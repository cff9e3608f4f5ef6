import type { ReactNode } from 'react';
import { updatedText } from '@/shared/legal/updated';
import { PageTitle } from '@/shared/site/PageTitle';
import type { TitledPath } from '@/shared/site/titles';
import { BackButton } from './BackButton';
import classes from './PublicPage.module.css';

interface PublicPageProps {
  path: TitledPath;
  heading: string;
  /** The date of its last change, `2026-11-22`. */
  updated: string;
  children: ReactNode;
}

/** A text page with a back button. */
export function PublicPage({ path, heading, updated, children }: PublicPageProps) {
  return (
    <div className={classes.page}>
      <PageTitle of={path} />
      <div className={classes.head}>
        <BackButton />
        <h1>{heading}</h1>
        <p>{updatedText(updated)}</p>
      </div>
      {children}
    </div>
  );
}
