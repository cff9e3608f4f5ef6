import { useEffect } from 'react';
import { useBlocker } from 'react-router';

interface UnsavedChanges {
  /** They want to go to another page and have to say what becomes of their changes. */
  isAsking: boolean;
  leave: () => void;
  stay: () => void;
}

/** Holds whoever would leave the page with unsaved changes: by a link or Back with our question, else with the browser's. */
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
