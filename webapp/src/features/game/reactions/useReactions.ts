import { useEffect, useState } from 'react';
import { useRealtimeEvent } from '@/realtime/RealtimeContext';
import { useBrowserSwitch } from '@/shared/browserSwitch';
import { isReaction, type Reaction, REACTION_SHOWN_MS, reactionsMuted } from './reactions';

export interface ShownReaction {
  userId: string;
  reaction: Reaction;
  /** Counts the reactions, so that the same one twice is shown twice. */
  number: number;
}

/** The reactions that are shown right now, at most one of each player: those of others unless they are muted. */
export function useReactions(gameId: string, userId: string): readonly ShownReaction[] {
  const isMuted = useBrowserSwitch(reactionsMuted);
  const [shown, setShown] = useState<readonly ShownReaction[]>([]);
  useRealtimeEvent('reaction', ({ gameId: of, userId: by, reaction }) => {
    if (of !== gameId || !isReaction(reaction)) return;
    setShown((before) => {
      const number = Math.max(0, ...before.map((each) => each.number)) + 1;
      return [...before.filter((each) => each.userId !== by), { userId: by, reaction, number }];
    });
  });
  useEffect(() => {
    if (shown.length === 0) return undefined;
    const timer = setTimeout(() => setShown([]), REACTION_SHOWN_MS);
    return () => clearTimeout(timer);
  }, [shown]);
  return isMuted ? shown.filter((each) => each.userId === userId) : shown;
}
