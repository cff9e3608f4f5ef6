import { useEffect } from 'react';

/** Makes the browser ask before the tab is closed or reloaded. */
export function useUnloadWarning(isNeeded: boolean): void {
  useEffect(() => {
    if (!isNeeded) return;
    const warn = (closing: BeforeUnloadEvent) => closing.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isNeeded]);
}
