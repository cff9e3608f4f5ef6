import { useDispatch } from 'react-redux';
import { api } from '@/api/base';
import { useRealtimeEvent } from '@/realtime/RealtimeContext';

/** Keeps the lists of events fresh: what changed while the connection was down was not told. */
export function useEventListUpdates(): void {
  const dispatch = useDispatch();
  const refresh = () => dispatch(api.util.invalidateTags([{ type: 'Events', id: 'LIST' }]));
  useRealtimeEvent('eventStateChanged', refresh);
  useRealtimeEvent('authenticated', refresh);
}
