import { type RefObject, useEffect, useRef } from 'react';

/**
 * Whether the queries above, which are skipped unless `isOn`, have started: a frame may arrive between the render that
 * enables them and their start, and a query that has not started cannot be refetched.
 */
export function useHasStarted(isOn: boolean): RefObject<boolean> {
  const hasStarted = useRef(false);
  useEffect(() => {
    hasStarted.current = isOn;
  }, [isOn]);
  return hasStarted;
}
