import { useEffect } from 'react';

/** Lets the browser ask before the tab is closed or loaded anew, while there is something to lose. */
export function useUnloadWarning(isNeeded: boolean): void {
  useEffect(() => {
    if (!isNeeded) return;
    const warn = (closing: BeforeUnloadEvent) => closing.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isNeeded]);
}
