import { Modal } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { errorText } from '@/api/base';
import { useGamesByEventQuery } from '@/api/events';
import type { Game } from '@/realtime/protocol';
import { selectUser } from '@/shared/session/sessionSlice';
import { dateTime } from './times';
import { PersonAvatar } from '@/shared/people/PersonLabel';
import { NameLink } from '@/shared/people/PersonLink';
import { PersonMenu } from '@/shared/people/PersonMenu';
import { nameOf } from '@/shared/people/personSummary';
import type { Met } from '@/shared/people/reportSlice';
import { shortReason } from '@/shared/play/endReason';
import { isLive } from './useOwnGames';
import { gamePath } from './postGameRedirect';
import { LoadFailure } from '@/shared/ui/LoadFailure';
import { Pager } from '@/shared/ui/Pager';
import classes from './PlayerGames.module.css';
import { useAppSelector } from '@/shared/storeHooks';

interface PlayerGamesProps {
  eventId: string;
  /** The player; null while the dialog is closed. */
  player: Met | null;
  onClose: () => void;
}

/** Every win and loss of a player with its game. */
export function PlayerGames({ eventId, player, onClose }: PlayerGamesProps) {
  return (
    <Modal
      title={
        player !== null && (
          <span className={classes.title}>
            <span>
              Games of <NameLink person={player} />
            </span>
            <PersonMenu person={player} />
          </span>
        )
      }
      opened={player !== null}
      onClose={onClose}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {player !== null && <Games key={player.userId} eventId={eventId} userId={player.userId} />}
    </Modal>
  );
}

const PAGE_SIZE = 20;

function Games({ eventId, userId }: { eventId: string; userId: string }) {
  const [page, setPage] = useState(1);
  const { data, error, isLoading, refetch } = useGamesByEventQuery(
    { eventId, userId, page, limit: PAGE_SIZE },
    { refetchOnMountOrArgChange: true },
  );
  if (isLoading) return <p role="status">Loading games...</p>;
  if (data === undefined) {
    return <LoadFailure text={errorText(error, 'Request failed')} onRetry={() => void refetch()} />;
  }
  if (data.games.length === 0) return <p className={classes.none}>No game yet.</p>;
  return (
    <>
      <ul className={classes.games}>
        {data.games.map((game) => (
          <Receipt key={game.gameId} game={game} userId={userId} />
        ))}
      </ul>
      <Pager label="games" pagination={data.pagination} onPage={setPage} />
    </>
  );
}

function Receipt({ game, userId }: { game: Game; userId: string }) {
  const other = game.players.find((player) => player.userId !== userId);
  const opponent = other === undefined ? '' : nameOf(other);
  const result = resultOf(game, userId);
  const rounds = game.drawCount > 0 ? ` · ${game.drawCount + 1} rounds` : '';
  const viewerId = useAppSelector(selectUser)?.userId;
  const isOwn = game.players.some((player) => player.userId === viewerId);
  const [word, to] = !isLive(game)
    ? ['Replay', `${gamePath(game.gameId)}/replay`]
    : isOwn
      ? ['Return to', gamePath(game.gameId)]
      : ['Watch', `${gamePath(game.gameId)}?watch=true`];
  return (
    <li data-result={result}>
      {other !== undefined && <PersonAvatar person={other} size={36} />}
      <span className={classes.about}>
        <strong>
          {`${RESULTS[result]} against `}
          {other !== undefined && <NameLink person={other} />}
        </strong>
        <small>{[shortReason(game), `${game.boardSize}×${game.boardSize}${rounds}`].filter(Boolean).join(' · ')}</small>
        <small>{dateTime(game.endedAt ?? game.createdAt)}</small>
      </span>
      {game.status !== 'cancelled' && (
        <Link to={to} aria-label={`${word} the game against ${opponent}`}>
          {word === 'Return to' ? 'Return to your game' : word}
        </Link>
      )}
    </li>
  );
}

type Result = 'won' | 'lost' | 'live' | 'void';

const RESULTS: Record<Result, string> = { won: 'Won', lost: 'Lost', live: 'Playing', void: 'Void' };

function resultOf(game: Game, userId: string): Result {
  if (isLive(game)) return 'live';
  const { winnerUserId } = game;
  if (winnerUserId === undefined) return 'void';
  return winnerUserId === userId ? 'won' : 'lost';
}
