import { useEffect } from 'react';

/** As in other programs with notices at an edge of the page. */
export const ACCEPT_KEY = 'F8';
export const ACCEPT_BUTTON = 'data-accept-invitation';

/** One key leads from anywhere to the newest invitation's Accept, which Enter then presses. */
export function useAcceptKey(): void {
  useEffect(() => {
    const lead = (event: KeyboardEvent) => {
      if (event.key !== ACCEPT_KEY || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
      const newest = [...document.querySelectorAll<HTMLElement>(`[${ACCEPT_BUTTON}]`)].at(-1);
      if (newest === undefined) return;
      event.preventDefault();
      newest.focus();
    };
    document.addEventListener('keydown', lead);
    return () => document.removeEventListener('keydown', lead);
  }, []);
}
