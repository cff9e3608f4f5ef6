import type { LogEntry } from '@/api/logs';
import { useLogKeys } from './useLogKeys';

interface RecordNavigation {
  records: readonly LogEntry[];
  /** The id of the record that is looked at; empty for none. */
  open: string;
  onOpen: (id: string) => void;
  /** Brings the record with this index into the page, if it is not there. */
  reveal?: (index: number) => void;
  keysOn: boolean;
}

/** Marks the button of a record. */
export const RECORD_ATTRIBUTE = 'data-record';

/** `j` and `k` lead from record to record: through the open one's dialog, else through the list. */
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
    // What was just revealed is in the page with the next picture.
    else requestAnimationFrame(() => buttonOf(record._id)?.focus());
  };
  useLogKeys({ j: () => step(1), k: () => step(-1) }, keysOn);
}

export function buttonOf(id: string): HTMLElement | undefined {
  const buttons = document.querySelectorAll<HTMLElement>(`[${RECORD_ATTRIBUTE}]`);
  return [...buttons].find((button) => button.getAttribute(RECORD_ATTRIBUTE) === id);
}
