import { createContext, useContext } from 'react';

/** Whose desk it is: an admin's, or that of the member who hosts the event and may do less. */
export interface DeskOf {
  isHost: boolean;
  /** Where the desk leads back to. */
  list: { to: string; label: string };
  /** The desk of another event. */
  pathOf: (eventId: string) => string;
}

export const ADMINS_DESK: DeskOf = {
  isHost: false,
  list: { to: '/app/admin/events', label: 'Back to all events' },
  pathOf: (eventId) => `/app/admin/events/${eventId}`,
};

export const HOSTS_DESK: DeskOf = {
  isHost: true,
  list: { to: '/app/host', label: 'Back to your events' },
  pathOf: (eventId) => `/app/host/${eventId}`,
};

export const DeskContext = createContext(ADMINS_DESK);

export function useDeskOf(): DeskOf {
  return useContext(DeskContext);
}
