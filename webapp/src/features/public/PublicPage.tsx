import type { ReactNode } from 'react';
import { PageTitle } from '@/shared/site/PageTitle';
import type { TitledPath } from '@/shared/site/titles';
import { BackButton } from './BackButton';
import classes from './PublicPage.module.css';

/** Account and platform, section 2. */
export const LAST_UPDATED = 'Last updated: December 2024';

interface PublicPageProps {
  path: TitledPath;
  heading: string;
  children: ReactNode;
}

/** A page to read, with the way back. */
export function PublicPage({ path, heading, children }: PublicPageProps) {
  return (
    <div className={classes.page}>
      <PageTitle of={path} />
      <div className={classes.head}>
        <BackButton />
        <h1>{heading}</h1>
        <p>{LAST_UPDATED}</p>
      </div>
      {children}
    </div>
  );
}
