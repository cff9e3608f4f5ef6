import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { focusHeading } from '@/shared/ui/focusHeading';

/** A heading may appear only after a response; later than this the user has moved on. */
const HEADING_MS = 5_000;

/**
 * Moves the focus to the heading of the new page after a navigation, so that a screen reader reads it, instead of
 * leaving it on a link that may be gone. Not on the first page, where a browser starts at the top, nor where the page
 * itself has moved the focus.
 */
export function useFocusOnHeading(): void {
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  /** The element pressed last; null before the first press. */
  const pressed = useRef<EventTarget | null>(null);

  useEffect(() => {
    const note = ({ target }: Event) => {
      pressed.current = target instanceof Element ? (target.closest('a, button') ?? target) : target;
    };
    const events = ['click', 'keydown'] as const;
    for (const event of events) document.addEventListener(event, note, { capture: true });
    return () => {
      for (const event of events) document.removeEventListener(event, note, { capture: true });
    };
  }, []);

  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    // An automatic redirect does not count as a navigation.
    if (pressed.current === null) return;
    // A page that redirected at once had the focus on its own heading.
    const isFree = () =>
      [document.body, pressed.current].includes(document.activeElement) || document.activeElement?.matches('h1');
    const place = () => {
      const heading =
        document.querySelector<HTMLElement>('[data-page-heading]') ?? document.querySelector<HTMLElement>('h1');
      if (heading !== null && isFree()) focusHeading(heading);
      return heading !== null || !isFree();
    };
    if (place()) return;
    const observer = new MutationObserver(() => {
      if (place()) observer.disconnect();
    });
    observer.observe(document.body, { childList: true, subtree: true });
    const timer = setTimeout(() => observer.disconnect(), HEADING_MS);
    return () => {
      observer.disconnect();
      clearTimeout(timer);
    };
  }, [pathname]);
}
