import { Link } from 'react-router';
import { MarkDrawing, StillBoard } from '@/shared/board';
import { BotBadge } from '@/shared/people/BotBadge';
import { PersonAvatar } from '@/shared/people/PersonLabel';
import { nameOf } from '@/shared/people/personSummary';
import { RatingText } from '@/shared/people/RatingText';
import { CLOCK_TEXTS } from '@/shared/quickMatch/wish';
import { selectUser } from '@/shared/session/sessionSlice';
import { useAppSelector } from '@/shared/storeHooks';
import { EyeIcon } from '@/shared/ui/icons';
import classes from './LiveGameCard.module.css';
import { type LiveGame, watchPath } from './liveNow';

/** A game to watch: its board, which moves, and who plays. The whole card leads to it. */
export function LiveGameCard({ live }: { live: LiveGame }) {
  const { game, board } = live;
  const userId = useAppSelector(selectUser)?.userId;
  const isOwn = game.players.some((player) => player.userId === userId);
  const names = game.players.map(nameOf).join(' – ');
  return (
    <article className={classes.card} data-status={board.status}>
      <div className={classes.board} aria-hidden="true">
        {/* Each round is a board of its own. */}
        <StillBoard
          key={board.drawCount}
          size={board.boardSize}
          board={board.cells}
          lastMove={board.lastMove}
          winningLine={board.winningLine}
        />
      </div>
      <div className={classes.about}>
        <ul className={classes.players}>
          {game.players.map((player, seat) => (
            <li key={player.userId} data-turn={board.currentTurn === player.userId}>
              <PersonAvatar person={player} size={28} />
              <span className={classes.name}>
                <strong>{nameOf(player)}</strong>
                <BotBadge person={player} />
                {player.rating !== undefined && <RatingText rating={player.rating} />}
              </span>
              <span className={classes.mark}>
                <MarkDrawing mark={seat === 0 ? 'X' : 'O'} />
              </span>
            </li>
          ))}
        </ul>
        <p className={classes.facts}>
          <span>{factsText(live)}</span>
          {board.watchers > 0 && (
            <span className={classes.watchers}>
              <EyeIcon />
              {board.watchers} watching
            </span>
          )}
        </p>
        <Link
          to={watchPath(game, userId)}
          className={classes.link}
          aria-label={isOwn ? `Return to your game: ${names}` : `Watch ${names}`}
        >
          {isOwn ? 'Return to your game' : board.status === 'completed' ? 'See the end' : 'Watch'}
        </Link>
      </div>
    </article>
  );
}

/** The board, the clock, the round, and how it ended, in words. */
function factsText({ game, board }: LiveGame): string {
  const size = `${board.boardSize}×${board.boardSize}`;
  if (board.status === 'completed') {
    const winner = game.players.find(({ userId }) => userId === board.winnerUserId);
    return winner === undefined ? `${size} · a draw` : `${size} · ${nameOf(winner)} won`;
  }
  const kind = game.gameType === 'event' ? `event, level ${game.level}` : CLOCK_TEXTS[game.clock].label;
  return `${size} · ${kind}${board.drawCount > 0 ? ` · round ${board.drawCount + 1}` : ''}`;
}
