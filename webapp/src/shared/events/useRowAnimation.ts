import { type RefObject, useLayoutEffect, useRef } from 'react';

const MOVE_MS = 350;

/**
 * Animates rows that change places: each slides from its old position. Rows carry `data-key`; there is no animation
 * with reduced motion.
 */
export function useRowAnimation<T extends HTMLElement>(keys: readonly string[]): RefObject<T | null> {
  const body = useRef<T>(null);
  const tops = useRef(new Map<string, number>());
  const order = keys.join(' ');
  useLayoutEffect(() => {
    const before = tops.current;
    tops.current = new Map();
    const isStill = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    for (const row of body.current?.querySelectorAll<HTMLElement>('[data-key]') ?? []) {
      const key = row.dataset.key ?? '';
      const top = row.offsetTop;
      tops.current.set(key, top);
      const shift = (before.get(key) ?? top) - top;
      if (shift !== 0 && !isStill) {
        row.animate([{ transform: `translateY(${shift}px)` }, { transform: 'none' }], {
          duration: MOVE_MS,
          easing: 'ease-out',
        });
      }
    }
  }, [order]);
  return body;
}
