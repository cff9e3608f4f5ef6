import { useEffect } from 'react';

/** Returns the focus on unmount, for a dialog that is unmounted with its component. */
export function useReturnFocus(): void {
  useEffect(() => {
    const before = document.activeElement;
    return () => {
      if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, []);
}
