import { useState } from 'react';
import { api, errorText } from '@/api/base';
import { usePlayAgainMutation } from '@/api/game';
import { RealtimeError } from '@/realtime/connection';
import type { Game } from '@/realtime/protocol';
import { useRealtime } from '@/realtime/RealtimeContext';
import { useAppDispatch } from '@/shared/storeHooks';
import { toast } from '@/shared/ui/toast';

const FAILED = 'Failed to create game';

/**
 * Offers another game, or accepts the opponent's offer. Over the connection one frame does that and joins the next
 * game; where there is none the action does. `onNext` gets that game.
 */
export function usePlayAgain(gameId: string, onNext: (next: Pick<Game, 'gameId' | 'initiatorUserId'>) => void) {
  const connection = useRealtime();
  const dispatch = useAppDispatch();
  const [callPlayAgain] = usePlayAgainMutation();
  const [isAsking, setAsking] = useState(false);

  const call = async () => {
    const { data, error } = await callPlayAgain({ gameId });
    if (data === undefined) toast.error(errorText(error, FAILED));
    else onNext(data.game);
  };

  const playAgain = async () => {
    setAsking(true);
    // Also when the page was left meanwhile: the server counts the player as present.
    const stop = connection.on('gameJoined', ({ previousGameId, gameState }) => {
      if (previousGameId !== gameId || gameState === undefined) return;
      stop();
      dispatch(api.util.invalidateTags(['Games']));
      onNext(gameState);
    });
    try {
      await connection.request('playAgain', { gameId });
    } catch (error) {
      stop();
      // However often it is asked for, it is one game.
      if (error instanceof RealtimeError && error.isUnanswered) await call();
      else toast.error(error instanceof Error ? error.message : FAILED);
    }
    setAsking(false);
  };

  return { playAgain, isAsking };
}
