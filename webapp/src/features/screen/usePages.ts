import { useEffect, useState } from 'react';

/** How long each page of a list that does not fit is shown, in milliseconds. */
export const PAGE_MS = 10_000;

interface Pages<T> {
  shown: readonly T[];
  /** From 1. */
  page: number;
  pages: number;
}

/** A list that nobody scrolls: its pages follow each other. */
export function usePages<T>(all: readonly T[], size: number): Pages<T> {
  const pages = Math.max(1, Math.ceil(all.length / size));
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    if (pages === 1) return undefined;
    const timer = setInterval(() => setTurn((last) => last + 1), PAGE_MS);
    return () => clearInterval(timer);
  }, [pages]);
  const at = turn % pages;
  return { shown: all.slice(at * size, (at + 1) * size), page: at + 1, pages };
}
