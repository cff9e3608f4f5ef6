import type { ReactNode } from 'react';
import { Logo } from '@/shared/illustrations';
import formCard from '@/shared/ui/formCard.module.css';
import classes from './AuthCard.module.css';

interface AuthCardProps {
  title: string;
  subtitle: string;
  /** The content is not known yet: shown is the heading, and what the document says the host offers (offered.ts). */
  isWaiting?: boolean;
  children: ReactNode;
}

export function AuthCard({ title, subtitle, isWaiting = false, children }: AuthCardProps) {
  return (
    <section className={`${formCard.card} ${classes.card}`} data-waiting={isWaiting || undefined}>
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
