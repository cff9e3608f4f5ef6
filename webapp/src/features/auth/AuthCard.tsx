import type { ReactNode } from 'react';
import { Logo } from '@/shared/illustrations';
import classes from './AuthCard.module.css';

interface AuthCardProps {
  title: string;
  subtitle: string;
  children: ReactNode;
}

export function AuthCard({ title, subtitle, children }: AuthCardProps) {
  return (
    <section className={classes.card}>
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
