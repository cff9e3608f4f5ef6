import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';

/** A heading may wait for what the server says of its page; later than this, somebody has gone on by themselves. */
const HEADING_MS = 5_000;

/**
 * After a navigation the focus goes to the new page's heading, which a screen reader then reads, instead of staying on
 * a link that was pressed or is gone. Not on the first page, where a browser begins at the top; nor where the page has
 * put it elsewhere.
 */
export function useFocusOnHeading(): void {
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  /** What was pressed last; null before anybody did anything. */
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
    // A redirect that nobody asked for is no navigation.
    if (pressed.current === null) return;
    // A page that led on at once had the focus on its own heading.
    const isFree = () =>
      [document.body, pressed.current].includes(document.activeElement) || document.activeElement?.matches('h1');
    const place = () => {
      const heading =
        document.querySelector<HTMLElement>('[data-page-heading]') ?? document.querySelector<HTMLElement>('h1');
      if (heading !== null && isFree()) focus(heading);
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

function focus(heading: HTMLElement): void {
  // Only as long as it has the focus: a heading is no place to stop at otherwise.
  heading.tabIndex = -1;
  heading.addEventListener('blur', () => heading.removeAttribute('tabindex'), { once: true });
  heading.focus({ preventScroll: true });
}
