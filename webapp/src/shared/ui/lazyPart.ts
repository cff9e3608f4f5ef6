import { type ComponentType, lazy, type LazyExoticComponent } from 'react';
import { log } from '@/shared/log';
import { partIsMissing } from '@/shared/newerVersion';

function Nothing(): null {
  return null;
}

/**
 * A part of a page in its own chunk. If that is gone, because the server has another version by now, the page stays as it is
 * without it, and NewVersion.tsx says so.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(() =>
    load().catch((error: unknown) => {
      log.note('A part of the page cannot be loaded', error);
      partIsMissing();
      return { default: Nothing };
    }),
  );
}
