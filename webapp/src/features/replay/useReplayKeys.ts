import { useEffect, useEffectEvent } from 'react';

interface Keys {
  onStep: (by: 1 | -1) => void;
  onSeek: (to: 'first' | 'last') => void;
  onToggle: () => void;
  onEscape: () => void;
}

/** Arrows step, space plays, Home and End go to the ends, Escape closes a line; ignored in fields, buttons and the board. */
export function useReplayKeys(keys: Keys): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    if (event.defaultPrevented || ctrlKey || metaKey || altKey || !(target instanceof Element)) return;
    if (target.closest('[role=grid], [role=dialog], input, select, textarea')) return;
    // Space presses a focused button.
    if (key === ' ' && target.closest('button, a')) return;
    const act = {
      ArrowLeft: () => keys.onStep(-1),
      ArrowRight: () => keys.onStep(1),
      Home: () => keys.onSeek('first'),
      End: () => keys.onSeek('last'),
      ' ': keys.onToggle,
      Escape: keys.onEscape,
    }[key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}
