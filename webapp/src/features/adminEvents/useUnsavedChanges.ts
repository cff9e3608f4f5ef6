import { useEffect } from 'react';
import { useBlocker } from 'react-router';

interface UnsavedChanges {
  /** A navigation is blocked until the user decides about the changes. */
  isAsking: boolean;
  leave: () => void;
  stay: () => void;
}

/** Blocks leaving the page with unsaved changes: links and Back by a dialog, closing the tab by the browser's question. */
export function useUnsavedChanges(hasChanges: boolean): UnsavedChanges {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => hasChanges && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    if (!hasChanges) return;
    const hold = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', hold);
    return () => window.removeEventListener('beforeunload', hold);
  }, [hasChanges]);
  return {
    isAsking: blocker.state === 'blocked',
    leave: () => blocker.proceed?.(),
    stay: () => blocker.reset?.(),
  };
}
