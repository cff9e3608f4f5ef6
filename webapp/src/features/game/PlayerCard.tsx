import type { GamePlayer } from '@/realtime/protocol';
import { MarkDrawing } from '@/shared/board';
import classes from './PlayerCard.module.css';
import { TimerRing } from './TimerRing';

interface PlayerCardProps {
  player: GamePlayer | null;
  isSelf: boolean;
  isOnMove: boolean;
  /** When the turn ends, by our clock, in Unix milliseconds; null without a timer. */
  deadline: number | null;
}

/** A player beside the board; the one on the move is marked, and carries the clock where there is one. */
export function PlayerCard({ player, isSelf, isOnMove, deadline }: PlayerCardProps) {
  if (player === null) {
    return (
      <div className={classes.card}>
        <span className={classes.mark}>?</span>
        <span className={classes.name}>Open seat</span>
      </div>
    );
  }
  return (
    <div className={classes.card} data-turn={isOnMove} data-symbol={player.symbol}>
      {isOnMove && deadline !== null ? (
        <TimerRing deadline={deadline} />
      ) : (
        <span className={classes.mark} aria-label={`plays ${player.symbol}`} role="img">
          <MarkDrawing mark={player.symbol} />
        </span>
      )}
      <span className={classes.name}>
        <b>{player.username}</b>
        <small>
          {isSelf ? 'You' : player.connected ? 'Opponent' : 'Away'}
          {isOnMove && (isSelf ? ', your turn' : ', to move')}
        </small>
      </span>
    </div>
  );
}
