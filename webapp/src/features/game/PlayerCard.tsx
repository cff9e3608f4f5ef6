import type { GamePlayer, RatingChange } from '@/realtime/protocol';
import { MarkDrawing } from '@/shared/board';
import { BotBadge } from '@/shared/people/BotBadge';
import { PersonAvatar } from '@/shared/people/PersonLabel';
import { PersonMenu } from '@/shared/people/PersonMenu';
import { nameOf } from '@/shared/people/personSummary';
import { RatingText } from '@/shared/people/RatingText';
import { GameClock } from './GameClock';
import classes from './PlayerCard.module.css';
import { ReactionBubble } from './reactions/ReactionBubble';
import type { ShownReaction } from './reactions/useReactions';
import { TimerRing } from './TimerRing';

interface PlayerCardProps {
  player: GamePlayer | null;
  gameId: string;
  /** Who sees the card: the player, the opponent or a spectator. */
  viewer: 'self' | 'opponent' | 'spectator';
  isOnMove: boolean;
  /** To the server, as far as is known. */
  isConnected: boolean;
  /** When the turn ends, by the local clock, in Unix milliseconds; null without a timer. */
  deadline: number | null;
  /** Milliseconds for all further turns, as of the turn's start; null unless the clock has such a total. */
  timeLeftMs: number | null;
  /** What the game did to the rating, once the server has told. */
  ratingChange: RatingChange | undefined;
  reaction: ShownReaction | undefined;
}

/** A player beside the board; the one to move is marked and shows the clock, if there is one. */
export function PlayerCard(props: PlayerCardProps) {
  const { player, gameId, viewer, isOnMove, isConnected, deadline, timeLeftMs, ratingChange, reaction } = props;
  if (player === null) {
    return (
      <div className={classes.seat}>
        <div className={classes.card}>
          <span className={classes.mark}>?</span>
          <span className={classes.name}>Open seat</span>
        </div>
      </div>
    );
  }
  const rating =
    ratingChange === undefined ? player.rating : { value: ratingChange.after, provisional: ratingChange.provisional };
  const mark = (
    <span className={classes.mark} aria-label={`plays ${player.symbol}`} role="img">
      <MarkDrawing mark={player.symbol} />
    </span>
  );
  return (
    <div className={classes.seat}>
      <div
        className={classes.card}
        data-turn={isOnMove}
        data-symbol={player.symbol}
        data-viewer={viewer}
        data-gone={!isConnected}
      >
        {isOnMove ? <TimerRing deadline={timeLeftMs === null ? deadline : null}>{mark}</TimerRing> : mark}
        <span className={classes.name}>
          <span className={classes.who}>
            <PersonAvatar person={player} size={22} />
            <b title={nameOf(player)}>{nameOf(player)}</b>
            <BotBadge person={player} />
          </span>
          <small>
            {isConnected ? (
              <>
                <CardRating rating={rating} change={ratingChange} />
                <span className={classes.role}>
                  {rating !== undefined && ' · '}
                  {role(player, viewer)}
                </span>
                {isOnMove && <span className={classes.role}>{viewer === 'self' ? ', your turn' : ', to move'}</span>}
              </>
            ) : (
              <span className={classes.gone}>{viewer === 'self' ? 'Reconnecting…' : 'Away'}</span>
            )}
          </small>
        </span>
        {timeLeftMs !== null && <GameClock leftMs={timeLeftMs} runsUntil={isOnMove ? deadline : null} />}
        <PersonMenu person={player} gameId={gameId} covers keepsPage />
        {reaction !== undefined && <ReactionBubble key={reaction.number} shown={reaction} />}
      </div>
    </div>
  );
}

interface CardRatingProps {
  rating: GamePlayer['rating'];
  change: RatingChange | undefined;
}

/** The rating as of now, once the game has changed it, with the change. First in its line: what does not fit after it is left out. */
function CardRating({ rating, change }: CardRatingProps) {
  if (rating === undefined) return null;
  return <RatingText rating={rating} {...(change === undefined ? {} : { change: change.after - change.before })} />;
}

function role({ symbol }: GamePlayer, viewer: PlayerCardProps['viewer']): string {
  if (viewer === 'self') return 'You';
  return viewer === 'opponent' ? 'Opponent' : `Plays ${symbol}`;
}
