import { useState } from 'react';
import { errorText, isApiError } from '@/api/base';
import { type Event, type Player, useLeaderboardQuery, usePlayerForEventQuery } from '@/api/events';
import { selectUser } from '@/shared/session/sessionSlice';
import { PersonLabel } from '@/shared/people/PersonLabel';
import { nameOf } from '@/shared/people/personSummary';
import { LoadFailure } from '@/shared/ui/LoadFailure';
import { Pager } from '@/shared/ui/Pager';
import classes from './Leaderboard.module.css';
import { PlayerGames } from './PlayerGames';
import { useRowAnimation } from './useRowAnimation';
import { useAppSelector } from '@/shared/storeHooks';
import { ifKnown } from '@/shared/ui/Loaded';

const PAGE_SIZE = 50;
/** Polling interval for updates that the realtime connection missed, in milliseconds. */
const POLL_MS = 20_000;

/** Level, then wins (docs/behaviour/events.md#standings); each player opens the games behind the numbers. */
export function Leaderboard({ event: { eventId, eventState } }: { event: Event }) {
  const userId = useAppSelector(selectUser)?.userId ?? null;
  const [page, setPage] = useState(1);
  const [shown, setShown] = useState<Player | null>(null);
  const isVisitor = userId === null;
  const { data, error, isLoading, refetch } = useLeaderboardQuery(
    { eventId, page, limit: PAGE_SIZE },
    {
      refetchOnMountOrArgChange: true,
      pollingInterval: eventState === 'started' ? POLL_MS : 0,
      skipPollingIfUnfocused: true,
    },
  );
  const own = ifKnown(usePlayerForEventQuery({ eventId, userId: userId ?? '' }, { skip: isVisitor }))?.player;
  const players = data?.players ?? [];
  const table = useRowAnimation<HTMLTableSectionElement>(players.map((player) => player.userId));

  if (isLoading) return <p role="status">Loading leaderboard...</p>;
  if (data === undefined) {
    const isAnswered = isApiError(error) && error.status !== 0;
    const text = errorText(error, isAnswered ? 'Failed to fetch leaderboard' : 'Failed to load leaderboard');
    return <LoadFailure text={text} onRetry={() => void refetch()} />;
  }
  if (players.length === 0) return <p className={classes.none}>Nobody has joined yet.</p>;
  return (
    <>
      {own?.rank !== undefined && (
        <p className={classes.own}>
          Your place: <b>{own.rank}</b> of {data.pagination.totalCount}
        </p>
      )}
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">
              <abbr title="Place">#</abbr>
            </th>
            <th scope="col">Player</th>
            <th scope="col">Level</th>
            <th scope="col">Wins</th>
            <th scope="col">Losses</th>
          </tr>
        </thead>
        <tbody ref={table}>
          {players.map((player, at) => (
            <tr
              key={player.userId}
              data-key={player.userId}
              data-own={player.userId === userId}
              data-out={player.isEliminated}
            >
              <td>{player.rank ?? (page - 1) * PAGE_SIZE + at + 1}</td>
              <th scope="row">
                <button
                  type="button"
                  className={classes.player}
                  onClick={() => setShown(player)}
                  aria-label={`Games of ${nameOf(player)}`}
                >
                  <PersonLabel person={player} />
                </button>
                {player.userId === userId && <small>You</small>}
                {player.isEliminated && <small>Eliminated</small>}
              </th>
              <td>{player.level}</td>
              <td>{player.wins}</td>
              <td>{player.losses}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Pager label="the leaderboard" pagination={data.pagination} onPage={setPage} />
      <PlayerGames eventId={eventId} player={shown} onClose={() => setShown(null)} />
    </>
  );
}
