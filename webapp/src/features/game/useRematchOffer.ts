import { useGameQuery } from '@/api/game';
import { useRealtimeEvent } from '@/realtime/RealtimeContext';
import { useHasStarted } from '@/shared/useHasStarted';

export interface RematchOffer {
  gameId: string;
  /** The user who offers it. */
  userId: string;
}

/** The offered rematch after an invite game, from the server's state rather than from frames. */
export function useRematchOffer(gameId: string, isOver: boolean): RematchOffer | null {
  const { data, refetch } = useGameQuery({ gameId }, { skip: !isOver, refetchOnMountOrArgChange: true });
  const hasStarted = useHasStarted(isOver);
  const refresh = () => {
    if (hasStarted.current) void refetch();
  };
  useRealtimeEvent('gameInvitation', refresh);
  useRealtimeEvent('gameCancelled', refresh);
  // Events during a lost connection were missed.
  useRealtimeEvent('authenticated', refresh);
  const { nextGameId, nextGameBy } = data?.game ?? {};
  return isOver && nextGameId !== undefined && nextGameBy !== undefined
    ? { gameId: nextGameId, userId: nextGameBy }
    : null;
}
