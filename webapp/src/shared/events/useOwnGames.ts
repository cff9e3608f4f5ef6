import { useGamesByUserQuery } from '@/api/game';
import type { Game } from '@/realtime/protocol';
import { useRealtimeEvent } from '@/realtime/RealtimeContext';
import { selectUser } from '@/shared/session/sessionSlice';
import { useAppSelector } from '@/shared/storeHooks';

/** One's own games that wait or go on, kept fresh by what the server tells. */
export function useOwnGames() {
  const userId = useAppSelector(selectUser)?.userId ?? '';
  const answer = useGamesByUserQuery(
    { userId, status: ['active', 'waiting'] },
    { skip: userId === '', refetchOnMountOrArgChange: true, refetchOnReconnect: true, refetchOnFocus: true },
  );
  const refresh = () => {
    if (userId !== '') void answer.refetch();
  };
  useRealtimeEvent('gameInvitation', refresh);
  useRealtimeEvent('gameStarted', refresh);
  useRealtimeEvent('gameEnd', refresh);
  useRealtimeEvent('gameDraw', refresh);
  useRealtimeEvent('gameCancelled', refresh);
  useRealtimeEvent('playerFound', refresh);
  // What happened while the connection was down was not told.
  useRealtimeEvent('authenticated', refresh);

  const games = (answer.data?.games ?? []).filter(isLive);
  return { games, isLoading: answer.isLoading || answer.isUninitialized };
}

/** The game that one plays in this event right now; one can return to it at any time. */
export function useOwnGameIn(eventId: string): Game | undefined {
  return useOwnGames().games.find((game) => game.eventId === eventId);
}

export function isLive({ status }: Pick<Game, 'status'>): boolean {
  return status === 'active' || status === 'waiting';
}
