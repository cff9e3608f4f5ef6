import type { User } from '@/api/account';
import type { Event } from '@/api/events';

/** Whether the event is this person's own to run. */
export function isHostOf({ host }: Event, user: User | null): boolean {
  return user !== null && host?.userId === user.userId;
}

export const HOST_PATH = '/app/host';

/** The desk of the member who hosts the event. */
export const hostDeskPath = (eventId: string) => `${HOST_PATH}/${eventId}`;
