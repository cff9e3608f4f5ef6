import { type RefObject, useEffect, useRef } from 'react';

/**
 * Whether the queries above, which are skipped unless `isOn`, have started: between the drawing that turns them on and
 * their start a message may arrive, and what has not started cannot be asked again. It is about to be asked anyway.
 */
export function useHasStarted(isOn: boolean): RefObject<boolean> {
  const hasStarted = useRef(false);
  useEffect(() => {
    hasStarted.current = isOn;
  }, [isOn]);
  return hasStarted;
}
