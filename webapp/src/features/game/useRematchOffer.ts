import { useState } from 'react';
import { useGameQuery } from '@/api/game';
import { useRealtimeEvent } from '@/realtime/RealtimeContext';
import type { ServerEvents } from '@/realtime/protocol';
import { useHasStarted } from '@/shared/useHasStarted';
import { ifKnown } from '@/shared/ui/Loaded';

export interface RematchOffer {
  gameId: string;
  /** The user who offers it; unknown of a game that has begun and was found by the server's state alone. */
  userId: string | null;
  state: ServerEvents['rematchOffer']['state'];
}

/**
 * The next game that was offered after this one, and its answer. Frames tell of it at once; after a load or a lost
 * connection the server's state does.
 */
export function useRematchOffer(gameId: string, isOver: boolean): RematchOffer | null {
  const answer = useGameQuery({ gameId }, { skip: !isOver, refetchOnMountOrArgChange: true });
  const { refetch } = answer;
  const data = ifKnown(answer);
  const hasStarted = useHasStarted(isOver);
  const [told, setTold] = useState<RematchOffer | null>(null);
  const refresh = () => {
    if (hasStarted.current) void refetch();
  };
  useRealtimeEvent('rematchOffer', (offer) => {
    if (offer.gameId !== gameId) return;
    setTold({ gameId: offer.nextGameId, userId: offer.offeredBy, state: offer.state });
    refresh();
  });
  useRealtimeEvent('gameInvitation', refresh);
  useRealtimeEvent('gameCancelled', refresh);
  // Frames during a lost connection were missed.
  useRealtimeEvent('authenticated', () => {
    setTold(null);
    refresh();
  });
  if (!isOver) return null;
  if (told !== null) return told;
  const { nextGameId, nextGameBy } = data?.game ?? {};
  if (nextGameId === undefined) return null;
  return { gameId: nextGameId, userId: nextGameBy ?? null, state: nextGameBy === undefined ? 'accepted' : 'offered' };
}
