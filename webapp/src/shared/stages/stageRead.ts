import type { EventState } from '@/api/events';

/** For what a page missed, and for visitors whom the server may have no room for, in milliseconds. */
const POLL_MS = 20_000;

/** How rounds and standings are read: their frames have them read again (useEventUpdates.ts). */
export function stageRead(eventState: EventState) {
  return {
    refetchOnMountOrArgChange: true,
    refetchOnReconnect: true,
    refetchOnFocus: true,
    pollingInterval: eventState === 'started' ? POLL_MS : 0,
    skipPollingIfUnfocused: true,
  };
}
