import { createContext, useContext, useEffect, useState } from 'react';
import type { Event, Presence } from '@/api/events';
import { useRealtime, useRealtimeEvent } from '@/realtime/RealtimeContext';
import { selectConnectionStatus } from '@/realtime/realtimeSlice';
import { useAppSelector } from '@/shared/storeHooks';

/** By user id; somebody of whom nothing was told yet is not in it. */
export type Presences = ReadonlyMap<string, Presence>;

const NOTHING: Presences = new Map();

const LABELS: Record<Presence, string> = {
  offline: 'Offline',
  online: 'Online, not in the room',
  room: 'In the room',
  waiting: 'Waiting',
  playing: 'Playing',
};

export function presenceText(presence: Presence): string {
  return LABELS[presence];
}

export const PresenceContext = createContext(NOTHING);

/** Whether a player of the desk's event is there, as told last. */
export function usePresenceOf(userId: string): Presence | undefined {
  return useContext(PresenceContext).get(userId);
}

/** Follows who of an event's players is there, while it is published or under way. */
export function usePresences({ eventId, eventState }: Event): Presences {
  const connection = useRealtime();
  const isConnected = useAppSelector(selectConnectionStatus) === 'connected';
  const isFollowing = isConnected && (eventState === 'published' || eventState === 'started');
  const [known, setKnown] = useState(NOTHING);
  useEffect(() => {
    if (!isFollowing) return undefined;
    connection.send('watchPresence', { eventId });
    return () => {
      connection.send('unwatchPresence', { eventId });
      setKnown(NOTHING);
    };
  }, [connection, isFollowing, eventId]);
  useRealtimeEvent('presenceChanged', ({ eventId: of, players }) => {
    if (of !== eventId) return;
    setKnown((before) => new Map([...before, ...players.map(({ userId, presence }) => [userId, presence] as const)]));
  });
  return isFollowing ? known : NOTHING;
}
