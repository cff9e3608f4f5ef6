import { useEffect } from 'react';

/** The key that other programs use for notifications. */
export const ACCEPT_KEY = 'F8';
export const ACCEPT_BUTTON = 'data-accept-invitation';

/** A key that moves the focus to the Accept button of the newest invitation. */
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
