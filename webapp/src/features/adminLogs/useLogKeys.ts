import { useEffect, useEffectEvent } from 'react';

type Acts = Partial<Record<string, () => void>>;

/** Marks the record's dialog, which does not block the keys for the next and previous record. */
export const RECORD_NAVIGATION = 'data-record-navigation';

/** Single-key shortcuts of the page, ignored in fields and in dialogs other than the record's. */
export function useLogKeys(acts: Acts, isOn = true): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    if (event.defaultPrevented || ctrlKey || metaKey || altKey || !(target instanceof Element)) return;
    if (target.closest('input, select, textarea, [role=listbox]')) return;
    if (target.closest('[role=dialog]') !== null && target.closest(`[${RECORD_NAVIGATION}]`) === null) return;
    const act = acts[key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  });
  useEffect(() => {
    if (!isOn) return;
    const listen = (event: KeyboardEvent) => press(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, [isOn]);
}
