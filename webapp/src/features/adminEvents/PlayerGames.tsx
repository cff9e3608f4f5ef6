import { Modal } from '@mantine/core';
import { useState } from 'react';
import { type Signup, useGamesByEventQuery } from '@/api/events';
import { errorText } from '@/api/base';
import type { Game } from '@/realtime/protocol';
import { dateTime } from '@/shared/events/times';
import { LoadFailure } from '@/shared/ui/LoadFailure';
import { Pager } from '@/shared/ui/Pager';
import classes from './PlayerGames.module.css';

const PAGE = 10;

interface PlayerGamesProps {
  eventId: string;
  /** Null while nobody is chosen. */
  player: Pick<Signup, 'userId' | 'username'> | null;
  onClose: () => void;
}

/** The games behind somebody's standing. */
export function PlayerGames({ eventId, player, onClose }: PlayerGamesProps) {
  return (
    <Modal
      title={`Games of ${player?.username ?? ''}`}
      opened={player !== null}
      onClose={onClose}
      size="lg"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {player !== null && <Games key={player.userId} eventId={eventId} userId={player.userId} />}
    </Modal>
  );
}

function Games({ eventId, userId }: { eventId: string; userId: string }) {
  const [page, setPage] = useState(1);
  const { data, error, refetch } = useGamesByEventQuery({ eventId, userId, page, limit: PAGE });
  if (data === undefined) {
    return error === undefined ? (
      <p role="status">Loading games...</p>
    ) : (
      <LoadFailure text={errorText(error, 'Failed to load games')} onRetry={() => void refetch()} />
    );
  }
  if (data.games.length === 0) return <p>No games in this event yet.</p>;
  return (
    <>
      <ul className={classes.games}>
        {data.games.map((game) => (
          <li key={game.gameId}>
            <strong>{outcome(game, userId)}</strong>
            <span>against {game.players.find((each) => each.userId !== userId)?.username ?? 'nobody'}</span>
            <span className={classes.how}>
              {reason(game)}
              {`${game.boardSize}×${game.boardSize}, ${dateTime(game.endedAt ?? game.createdAt)}`}
            </span>
          </li>
        ))}
      </ul>
      <Pager label="games" pagination={data.pagination} onPage={setPage} />
    </>
  );
}

function outcome({ status, winnerUserId }: Game, userId: string): string {
  if (status === 'cancelled') return 'Void';
  if (status !== 'completed') return 'Playing';
  return winnerUserId === userId ? 'Won' : 'Lost';
}

const REASONS: Record<NonNullable<Game['reason']>, string> = {
  line: 'by a line',
  forfeit: 'by forfeit',
  timeout: 'on time',
  noShow: 'by absence',
  disconnect: 'by disconnection',
  time: 'by less time used',
  adjudicated: 'by an admin’s ruling',
  void: '',
};

function reason({ reason, drawCount }: Game): string {
  const how = reason === undefined ? '' : REASONS[reason];
  const draws = drawCount === 0 ? '' : `after ${drawCount === 1 ? 'a draw' : `${drawCount} draws`}`;
  return [how, draws]
    .filter((each) => each !== '')
    .map((each) => `${each}, `)
    .join('');
}
