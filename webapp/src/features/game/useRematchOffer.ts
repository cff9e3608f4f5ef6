import { useGameQuery } from '@/api/game';
import { useRealtimeEvent } from '@/realtime/RealtimeContext';
import { useHasStarted } from '@/shared/useHasStarted';

export interface RematchOffer {
  gameId: string;
  /** Who offers it. */
  userId: string;
}

/** The next game that waits to be taken, once an invite game is over: what the server says of it, not what one was told. */
export function useRematchOffer(gameId: string, isOver: boolean): RematchOffer | null {
  const { data, refetch } = useGameQuery({ gameId }, { skip: !isOver, refetchOnMountOrArgChange: true });
  const hasStarted = useHasStarted(isOver);
  const refresh = () => {
    if (hasStarted.current) void refetch();
  };
  useRealtimeEvent('gameInvitation', refresh);
  useRealtimeEvent('gameCancelled', refresh);
  // What happened while the connection was down was not told.
  useRealtimeEvent('authenticated', refresh);
  const { nextGameId, nextGameBy } = data?.game ?? {};
  return isOver && nextGameId !== undefined && nextGameBy !== undefined
    ? { gameId: nextGameId, userId: nextGameBy }
    : null;
}
