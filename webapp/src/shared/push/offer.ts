/** Offers notifications once it makes sense: somebody was invited, or an event was signed up for. */

import { useSyncExternalStore } from 'react';
import { readStored, STORAGE_KEYS, writeStored } from '../storage';

/** What somebody now waits for. */
export type PushOccasion = 'answer' | 'event';

const listeners = new Set<() => void>();
let occasion: PushOccasion | null = null;

/** Offers them, unless they were offered before in this browser. */
export function offerPush(now: PushOccasion): void {
  if (readStored(STORAGE_KEYS.pushOffer) !== null) return;
  tell(now);
}

/** Ends the offer for good. */
export function endPushOffer(): void {
  writeStored(STORAGE_KEYS.pushOffer, true);
  tell(null);
}

function tell(next: PushOccasion | null): void {
  occasion = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function usePushOccasion(): PushOccasion | null {
  return useSyncExternalStore(
    subscribe,
    () => occasion,
    () => null,
  );
}
