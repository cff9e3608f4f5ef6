import { useEffect, useState } from 'react';
import { NotShown } from './ask';

/** What was asked for, or why it is not there. */
export type Asked<T> = { data: T } | 'loading' | 'notShown' | 'failed';

/** After a failure, in milliseconds. */
const RETRY_MS = 15_000;

/**
 * Asks when the part is shown, again after a failure, and as often as the answer says while the page is looked at.
 *
 * @param request Stable as long as it asks for the same.
 * @param pauseAfter Milliseconds until it is asked again after this answer; null for never. Stable.
 */
export function useAsked<T>(request: () => Promise<T>, pauseAfter: (data: T) => number | null): Asked<T> {
  const [asked, setAsked] = useState<Asked<T>>('loading');
  useEffect(() => {
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const later = (ms: number) => {
      timer = setTimeout(() => (document.hidden ? later(ms) : void once()), ms);
    };
    const once = async () => {
      try {
        const data = await request();
        if (isOver) return;
        setAsked({ data });
        const pause = pauseAfter(data);
        if (pause !== null) later(pause);
      } catch (error) {
        if (isOver) return;
        if (error instanceof NotShown) {
          setAsked('notShown');
          return;
        }
        // What was shown stays until there is something newer.
        setAsked((before) => (typeof before === 'object' ? before : 'failed'));
        later(RETRY_MS);
      }
    };
    void once();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [request, pauseAfter]);
  return asked;
}
