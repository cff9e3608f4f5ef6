import { Button } from '@mantine/core';
import { useSelector } from 'react-redux';
import { Link } from 'react-router';
import { useCancelGameMutation, useGamesByUserQuery } from '@/api/game';
import type { Game } from '@/realtime/protocol';
import { useRealtimeEvent } from '@/realtime/RealtimeContext';
import { EmptyDrawing } from '@/shared/illustrations';
import { log } from '@/shared/log';
import { Avatar } from '@/shared/people/Avatar';
import { selectUser } from '@/shared/session/sessionSlice';
import buttons from '@/shared/ui/buttons.module.css';
import { Card } from '@/shared/ui/Card';
import classes from './ActiveGames.module.css';

/** Games that wait or go on, kept fresh by what the server tells. */
export function ActiveGames() {
  const userId = useSelector(selectUser)?.userId ?? '';
  const { data, isLoading, isUninitialized, refetch } = useGamesByUserQuery(
    { userId, status: ['active', 'waiting'] },
    { skip: userId === '', refetchOnMountOrArgChange: true, refetchOnReconnect: true },
  );

  const refresh = () => void refetch();
  useRealtimeEvent('gameInvitation', refresh);
  useRealtimeEvent('gameEnd', refresh);
  useRealtimeEvent('gameDraw', refresh);
  useRealtimeEvent('gameCancelled', refresh);
  // What happened while the connection was down was not told.
  useRealtimeEvent('authenticated', refresh);

  const games = (data?.games ?? []).filter(({ status }) => status === 'active' || status === 'waiting');
  const words = isLoading || isUninitialized ? 'Looking for your games…' : 'No game under way.';
  return (
    <Card title="Active Games">
      {games.length > 0 ? (
        <ul className={classes.games}>
          {games.map((game) => (
            <ActiveGame key={game.gameId} game={game} userId={userId} />
          ))}
        </ul>
      ) : (
        <div className={classes.empty}>
          <EmptyDrawing className={classes.drawing} />
          <p key={words}>{words}</p>
          <Link to="/app/practice" className={buttons.primary}>
            Start one
          </Link>
        </div>
      )}
    </Card>
  );
}

function ActiveGame({ game, userId }: { game: Game; userId: string }) {
  const [cancel, { isLoading }] = useCancelGameMutation();
  const opponent = game.players.find((player) => player.userId !== userId);
  const name = opponent?.username ?? 'Open invitation';

  const cancelGame = async () => {
    const { error } = await cancel({ gameId: game.gameId, userId });
    if (error !== undefined) log.warn('Failed to cancel game', error);
  };

  return (
    <li className={classes.game}>
      <Avatar name={opponent?.username ?? '?'} />
      <div className={classes.about}>
        <strong>{name}</strong>
        <span className={game.yourTurn ? classes.turn : undefined}>{situation(game, userId)}</span>
      </div>
      <div className={classes.actions}>
        <Button component={Link} to={`/app/game/${game.gameId}`} aria-label={`Open the game with ${name}`}>
          {game.status === 'waiting' && game.initiatorUserId !== userId ? 'Join' : 'Play'}
        </Button>
        {cancelLabel(game) !== null && (
          <Button variant="default" loading={isLoading} onClick={() => void cancelGame()}>
            {cancelLabel(game)}
          </Button>
        )}
      </div>
    </li>
  );
}

function situation({ status, yourTurn, boardSize, initiatorUserId }: Game, userId: string): string {
  const board = `${boardSize}×${boardSize}`;
  if (status === 'waiting') {
    return initiatorUserId === userId ? `${board} · waiting for them` : `${board} · waiting for you`;
  }
  return yourTurn ? `${board} · your turn` : `${board} · their turn`;
}

/** Events and gameplay, section 2: an event game can be cancelled only while it waits. */
function cancelLabel({ gameType, status }: Game): string | null {
  if (gameType === 'invite') return 'Cancel Invitation';
  return status === 'waiting' ? 'Cancel' : null;
}
