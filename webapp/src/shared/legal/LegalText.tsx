import type { ReactNode } from 'react';
import { useOperator } from '@/shared/site/operator';
import classes from './LegalText.module.css';

/** A long text with sections and a readable line length. */
export function LegalText({ children }: { children: ReactNode }) {
  return <div className={classes.text}>{children}</div>;
}

interface SectionProps {
  title: string;
  children: ReactNode;
}

export function Section({ title, children }: SectionProps) {
  return (
    <section className={classes.section}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** The operator's name from the configuration. */
export function OperatorName() {
  return <>{useOperator().name}</>;
}

/** How to reach the operator, as a sentence. */
export function OperatorContact() {
  const { contact } = useOperator();
  if (contact === undefined) {
    return <>The operator has not published an address here yet: ask whoever told you about this server.</>;
  }
  return (
    <>
      Write to <a href={contact.href}>{contact.text}</a>.
    </>
  );
}
