import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { useRealtimeEvent } from '@/realtime/RealtimeContext';
import { afterEnd, afterForfeit, type LiveGame } from './liveGame';

/** Events and gameplay, section 9. */
export const AFTER_END_MS = 3_000;

interface Options {
  gameId: string;
  userId: string;
  game: LiveGame;
  isPlayer: boolean;
}

/** Goes where a game that was ended or called off leads its players by itself, 3 s later; null where it leads nowhere. */
export function useWayOn({ gameId, userId, game, isPlayer }: Options): string | null {
  const navigate = useNavigate();
  const [ended, setEnded] = useState<string | null>(null);
  useRealtimeEvent('gameEnd', (end) => {
    if (end.gameId === gameId && isPlayer) setEnded(afterEnd(end, userId));
  });
  const target = game.cancelled === null ? ended : afterForfeit(game.state);
  useEffect(() => {
    if (target === null) return;
    const timer = setTimeout(() => void navigate(target, { replace: true }), AFTER_END_MS);
    return () => clearTimeout(timer);
  }, [target, navigate]);
  return target;
}
