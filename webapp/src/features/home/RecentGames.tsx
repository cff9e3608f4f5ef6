import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { useGamesByUserQuery } from '@/api/game';
import type { Game } from '@/realtime/protocol';
import { useRealtimeEvent } from '@/realtime/RealtimeContext';
import { PersonAvatar } from '@/shared/people/PersonLabel';
import { NameLink } from '@/shared/people/PersonLink';
import { nameOf } from '@/shared/people/personSummary';
import { selectUser } from '@/shared/session/sessionSlice';
import { shortReason } from '@/shared/play/endReason';
import { Card } from '@/shared/ui/Card';
import { Loaded } from '@/shared/ui/Loaded';
import classes from './ActiveGames.module.css';
import { useAppSelector } from '@/shared/storeHooks';

/** Number shown at first, and added by each press; the server lists at most 100. */
const STEP = 5;
const MOST = 100;

/** Finished games with links to their replays. Nothing is shown before the first one. */
export function RecentGames() {
  const userId = useAppSelector(selectUser)?.userId ?? '';
  const [limit, setLimit] = useState(STEP);
  const answer = useGamesByUserQuery(
    { userId, status: ['completed'], limit },
    { skip: userId === '', refetchOnMountOrArgChange: true },
  );
  useRealtimeEvent('gameEnd', () => void answer.refetch());
  useRealtimeEvent('gameDraw', () => void answer.refetch());

  const isOver = ({ status }: Game) => status === 'completed';
  if (answer.error === undefined && answer.data?.games.some(isOver) !== true) return null;
  return (
    <Card title="Recent Games">
      <Loaded of={answer} loading="Looking for your games…" failure="Your games could not be loaded." keepsPage>
        {({ games, pagination }) => (
          <>
            <ul className={classes.games}>
              {games.filter(isOver).map((game) => (
                <RecentGame key={game.gameId} game={game} userId={userId} />
              ))}
            </ul>
            {pagination.hasNextPage && limit < MOST && (
              <Button variant="default" onClick={() => setLimit(Math.min(limit + STEP, MOST))}>
                Show more
              </Button>
            )}
          </>
        )}
      </Loaded>
    </Card>
  );
}

function RecentGame({ game, userId }: { game: Game; userId: string }) {
  const opponent = game.players.find((player) => player.userId !== userId);
  const name = opponent === undefined ? 'Nobody' : nameOf(opponent);
  return (
    <li className={classes.game}>
      <PersonAvatar person={opponent ?? { username: name }} />
      <div className={classes.about}>
        <strong>{opponent === undefined ? name : <NameLink person={opponent} />}</strong>
        <span>{`${game.boardSize}×${game.boardSize} · ${result(game, userId)}`}</span>
      </div>
      <div className={classes.actions}>
        <Button
          variant="default"
          component={Link}
          to={`/app/game/${game.gameId}/replay`}
          aria-label={`Replay the game with ${name}`}
        >
          Replay
        </Button>
      </div>
    </li>
  );
}

function result(game: Game, userId: string): string {
  const { isDraw, winnerUserId } = game;
  if (isDraw) return 'a draw';
  if (winnerUserId === undefined) return shortReason({ reason: 'void' });
  return `${winnerUserId === userId ? 'you won' : 'they won'} ${shortReason(game)}`.trim();
}
