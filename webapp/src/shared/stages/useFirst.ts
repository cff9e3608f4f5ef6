import { useState } from 'react';

/** The most that a long list shows before one asks for all of it. */
export const FIRST = 100;

/** The first of a long list, and a way to the others. */
export function useFirst<T>(all: readonly T[]): { shown: readonly T[]; showAll: (() => void) | undefined } {
  const [isWhole, setWhole] = useState(false);
  if (isWhole || all.length <= FIRST) return { shown: all, showAll: undefined };
  return { shown: all.slice(0, FIRST), showAll: () => setWhole(true) };
}
