import type { PropsWithChildren } from 'react';
import { EmptyDrawing } from '../illustrations';
import classes from './EmptyList.module.css';

/** What a page shows in place of a list that is empty. */
export function EmptyList({ className = '', children }: PropsWithChildren<{ className?: string | undefined }>) {
  return (
    <div className={`${classes.empty} ${className}`}>
      <EmptyDrawing className={classes.drawing} />
      {children}
    </div>
  );
}
