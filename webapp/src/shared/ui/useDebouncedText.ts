import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';

/** The debounce delay, in milliseconds. */
export const DEBOUNCE_MS = 300;

/**
 * The text of a search field, which is passed on when typing pauses.
 * @param settled the current search; when it changes otherwise (Back, a link), the field follows.
 */
export function useDebouncedText(settled: string, onSettled: (text: string) => void) {
  const [box, setBox] = useState({ text: settled, seen: settled, told: settled });
  if (box.seen !== settled) {
    // A value that was passed on may come back late, while typing continues.
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
