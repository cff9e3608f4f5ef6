import { type ReactNode, useId } from 'react';
import classes from './ScreenList.module.css';

interface ScreenListProps {
  title: string;
  /** `Page 2 of 3`, if not all fits. */
  page?: string | undefined;
  children: ReactNode;
}

/** A titled list of the big screen. */
export function ScreenList({ title, page, children }: ScreenListProps) {
  const id = useId();
  return (
    <section className={classes.section} aria-labelledby={id}>
      <div className={classes.head}>
        <h2 id={id}>{title}</h2>
        {page !== undefined && <span>{page}</span>}
      </div>
      {children}
    </section>
  );
}
