import { useBlocker } from 'react-router';
import { useUnloadWarning } from './useUnloadWarning';

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
  useUnloadWarning(hasChanges);
  return {
    isAsking: blocker.state === 'blocked',
    leave: () => blocker.proceed?.(),
    stay: () => blocker.reset?.(),
  };
}
