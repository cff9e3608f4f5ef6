import { Link } from 'react-router';
import { errorText } from '@/api/base';
import { useSpectatableGamesQuery } from '@/api/events';
import type { Game } from '@/realtime/protocol';
import buttons from '@/shared/ui/buttons.module.css';
import { Card } from '@/shared/ui/Card';
import { LoadFailure } from '@/shared/ui/LoadFailure';
import classes from './LiveGames.module.css';

/** The event's games under way, each to be watched. */
export function LiveGames({ eventId }: { eventId: string }) {
  const { data, error, refetch } = useSpectatableGamesQuery(eventId);
  return (
    <Card title="Live Games">
      {data === undefined ? (
        error === undefined ? (
          <p role="status">Loading games...</p>
        ) : (
          <LoadFailure text={errorText(error, 'Failed to load games')} onRetry={() => void refetch()} />
        )
      ) : data.games.length === 0 ? (
        <p>No game under way.</p>
      ) : (
        <ul className={classes.games}>
          {data.games.map((game) => (
            <LiveGame key={game.gameId} game={game} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function LiveGame({ game: { gameId, players, boardSize, level, moveCount = 0, drawCount } }: { game: Game }) {
  const names = players.map(({ username }) => username).join(' – ');
  return (
    <li className={classes.game}>
      <div>
        <strong>{names}</strong>
        <span>
          Level {level}, {boardSize}×{boardSize}, round {drawCount + 1},{' '}
          {moveCount === 1 ? '1 move' : `${moveCount} moves`}
        </span>
      </div>
      <Link to={`/app/game/${gameId}`} className={buttons.button} aria-label={`Watch ${names}`}>
        Watch
      </Link>
    </li>
  );
}
