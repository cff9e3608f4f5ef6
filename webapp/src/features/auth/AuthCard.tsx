import type { ReactNode } from 'react';
import { Logo } from '@/shared/illustrations';
import formCard from '@/shared/ui/formCard.module.css';
import classes from './AuthCard.module.css';

interface AuthCardProps {
  title: string;
  subtitle: string;
  /** The content is not known yet: only the heading is shown, the rest is reserved space. */
  isWaiting?: boolean;
  children: ReactNode;
}

export function AuthCard({ title, subtitle, isWaiting = false, children }: AuthCardProps) {
  return (
    <section className={`${formCard.card} ${classes.card}`} aria-busy={isWaiting}>
      <title>{`${title} · Morpion`}</title>
      <Logo className={classes.logo} />
      <div className={classes.heading}>
        <h1>{title}</h1>
        <p>{subtitle}</p>
      </div>
      {children}
    </section>
  );
}
