import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';

/** A pause in typing that counts as having finished, in milliseconds. */
export const DEBOUNCE_MS = 300;

/**
 * A search box whose text is told on when its typist pauses.
 * @param settled what is searched for right now; when that changes by other hands (Back, a link) the box follows.
 */
export function useDebouncedText(settled: string, onSettled: (text: string) => void) {
  const [box, setBox] = useState({ text: settled, seen: settled, told: settled });
  if (box.seen !== settled) {
    // What comes back is what was told, maybe late: the typist may be further already.
    setBox({ text: settled === box.told ? box.text : settled, seen: settled, told: settled });
  }
  const tell = useDebouncedCallback((text: string) => {
    setBox((known) => ({ ...known, told: text }));
    onSettled(text);
  }, DEBOUNCE_MS);
  return {
    text: box.text,
    type: (text: string) => {
      setBox((known) => ({ ...known, text }));
      tell(text.trim());
    },
  };
}
