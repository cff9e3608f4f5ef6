import { useInsertionEffect, useLayoutEffect, useRef } from 'react';

/**
 * Keeps what somebody scrolled in the document before the app was loaded: ScrollRestoration of React Router begins at the
 * top. What is noted before its effect is restored after it.
 */
export function useEarlyScroll(): void {
  const scrolled = useRef(0);
  useInsertionEffect(() => {
    scrolled.current = window.scrollY;
  }, []);
  useLayoutEffect(() => {
    if (scrolled.current > 0) window.scrollTo(0, scrolled.current);
  }, []);
}
