import type { EventState } from '@/api/events';

/** How the states are called on screen. */
export const EVENT_STATE_LABELS: Record<EventState, string> = {
  drafted: 'Draft',
  published: 'Published',
  started: 'Live',
  ended: 'Ended',
  cancelled: 'Cancelled',
};
