import { createContext, useContext, useEffect, useEffectEvent } from 'react';
import type { RealtimeConnection } from './connection';
import type { ServerEvent, ServerEvents } from './protocol';

export const RealtimeContext = createContext<RealtimeConnection | null>(null);

/** The page's realtime connection. */
export function useRealtime(): RealtimeConnection {
  const connection = useContext(RealtimeContext);
  if (connection === null) throw new Error('useRealtime needs a RealtimeContext above it');
  return connection;
}

/** Calls the handler for every such frame while the component is mounted. */
export function useRealtimeEvent<E extends ServerEvent>(event: E, handler: (data: ServerEvents[E]) => void): void {
  const connection = useRealtime();
  const latest = useEffectEvent(handler);
  useEffect(() => connection.on(event, (data) => latest(data)), [connection, event]);
}
