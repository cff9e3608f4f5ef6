import type { ReactNode } from 'react';

interface ScrolledProps {
  label: string;
  className?: string | undefined;
  children: ReactNode;
}

/** What may be wider than the page, and scrolls in itself. */
export function Scrolled({ label, className, children }: ScrolledProps) {
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable element must be focusable to scroll by keyboard
    <div className={className} role="region" aria-label={label} tabIndex={0}>
      {children}
    </div>
  );
}
