import type { LogEntry } from '@/api/logs';
import { useLogKeys } from './useLogKeys';

interface RecordNavigation {
  records: readonly LogEntry[];
  /** The id of the open record; empty for none. */
  open: string;
  onOpen: (id: string) => void;
  /** Scrolls to the record with this index, so that it is rendered. */
  reveal?: (index: number) => void;
  keysOn: boolean;
}

/** The attribute of a record's button with its id. */
export const RECORD_ATTRIBUTE = 'data-record';

/** `j` and `k` move to the next and previous record, in the open dialog or in the list. */
export function useRecordNavigation({ records, open, onOpen, reveal, keysOn }: RecordNavigation): void {
  const step = (by: 1 | -1) => {
    const here = open === '' ? (document.activeElement?.getAttribute(RECORD_ATTRIBUTE) ?? '') : open;
    const at = records.findIndex(({ _id }) => _id === here);
    const next = at === -1 ? 0 : Math.min(records.length - 1, Math.max(0, at + by));
    const record = records[next];
    if (record === undefined) return;
    if (open !== '') return onOpen(record._id);
    reveal?.(next);
    const button = buttonOf(record._id);
    if (button !== undefined) button.focus();
    // A record just revealed is rendered with the next frame.
    else requestAnimationFrame(() => buttonOf(record._id)?.focus());
  };
  useLogKeys({ j: () => step(1), k: () => step(-1) }, keysOn);
}

export function buttonOf(id: string): HTMLElement | undefined {
  const buttons = document.querySelectorAll<HTMLElement>(`[${RECORD_ATTRIBUTE}]`);
  return [...buttons].find((button) => button.getAttribute(RECORD_ATTRIBUTE) === id);
}
