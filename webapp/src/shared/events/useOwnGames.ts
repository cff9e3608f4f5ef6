import { useGamesByUserQuery } from '@/api/game';
import type { Game } from '@/realtime/protocol';
import { useRealtimeEvent } from '@/realtime/RealtimeContext';
import { selectUser } from '@/shared/session/sessionSlice';
import { useAppSelector } from '@/shared/storeHooks';
import { ifKnown } from '@/shared/ui/Loaded';

/** The user's waiting and running games, kept up to date by realtime frames. */
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
  // Events during a lost connection were missed.
  useRealtimeEvent('authenticated', refresh);

  // A button that leads back to a game; Home lists them, and says if they could not be loaded.
  const games = (ifKnown(answer)?.games ?? []).filter(isLive);
  return { games, isLoading: answer.isLoading || answer.isUninitialized };
}

/** The user's running game in this event, which can be resumed at any time. */
export function useOwnGameIn(eventId: string): Game | undefined {
  return useOwnGames().games.find((game) => game.eventId === eventId);
}

export function isLive({ status }: Pick<Game, 'status'>): boolean {
  return status === 'active' || status === 'waiting';
}
