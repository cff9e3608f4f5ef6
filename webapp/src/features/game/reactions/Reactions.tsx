import { useEffect, useState } from 'react';
import { RealtimeError } from '@/realtime/connection';
import { useRealtime } from '@/realtime/RealtimeContext';
import { useBrowserSwitch } from '@/shared/browserSwitch';
import { MutedIcon, ReactIcon } from '@/shared/ui/icons';
import { toast } from '@/shared/ui/toast';
import { ReactionDrawing } from './ReactionDrawing';
import { REACTION_EVERY_MS, type Reaction, REACTIONS, reactionsMuted } from './reactions';
import classes from './Reactions.module.css';

interface ReactionsProps {
  gameId: string;
  /** Players react; those who watch can only mute. */
  isPlayer: boolean;
}

/** The reactions that a player can send, and the switch that mutes those of others. */
export function Reactions({ gameId, isPlayer }: ReactionsProps) {
  const { isPaused, isOver, react } = useReact(gameId);
  const isMuted = useBrowserSwitch(reactionsMuted);
  return (
    <div className={classes.bar} role="group" aria-label="Reactions">
      {isPlayer &&
        !isOver &&
        Object.entries(REACTIONS).map(([reaction, label]) => (
          <button
            key={reaction}
            type="button"
            className={classes.reaction}
            // Still focused while it waits: whoever uses a keyboard keeps the place.
            aria-disabled={isPaused}
            onClick={() => void react(reaction as Reaction)}
          >
            <ReactionDrawing reaction={reaction as Reaction} />
            <span>{label}</span>
          </button>
        ))}
      <button
        type="button"
        role="switch"
        className={classes.mute}
        aria-checked={isMuted}
        aria-label="Mute reactions"
        title={isMuted ? 'Reactions are muted' : 'Mute reactions'}
        onClick={() => reactionsMuted.switchTo(!isMuted)}
      >
        {isMuted ? <MutedIcon /> : <ReactIcon />}
        <span>{isMuted ? 'Muted' : 'Mute'}</span>
      </button>
    </div>
  );
}

function useReact(gameId: string) {
  const connection = useRealtime();
  const [pausedSince, setPausedSince] = useState<number | null>(null);
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    if (pausedSince === null) return undefined;
    const timer = setTimeout(() => setPausedSince(null), REACTION_EVERY_MS);
    return () => clearTimeout(timer);
  }, [pausedSince]);

  const react = async (reaction: Reaction) => {
    if (pausedSince !== null) return;
    setPausedSince(Date.now());
    try {
      await connection.request('react', { gameId, reaction });
    } catch (error) {
      if (!(error instanceof RealtimeError)) throw error;
      // Another tab may have reacted a moment ago; a game that ended long ago takes none any more.
      if (error.code === 'game-over' || error.code === 'not-found') setOver(true);
      else if (error.code !== 'too-many-reactions') toast.error(error.message);
    }
  };
  return { isPaused: pausedSince !== null, isOver, react };
}
