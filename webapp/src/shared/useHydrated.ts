import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

/**
 * False while the document of a public page is taken over, which knows nothing of this tab or of the query in its
 * address: what depends on them is shown in the next render.
 */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
