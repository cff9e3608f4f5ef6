import type { EventState } from '@/api/events';

/** Labels of the states. */
export const EVENT_STATE_LABELS: Record<EventState, string> = {
  drafted: 'Draft',
  published: 'Published',
  started: 'Live',
  ended: 'Ended',
  cancelled: 'Cancelled',
};
