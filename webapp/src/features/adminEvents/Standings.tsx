import { useState } from 'react';
import { type Event, type Player, useLeaderboardQuery } from '@/api/events';
import { Card } from '@/shared/ui/Card';
import { LoadFailure } from '@/shared/ui/LoadFailure';
import { Pager } from '@/shared/ui/Pager';
import { leaderboardFailure } from './failures';
import { PlayerGames } from './PlayerGames';
import classes from './Standings.module.css';

const PAGE = 20;

/** The leaderboard as it moves, in the server's order: level, then wins (events and gameplay, section 9). */
export function Standings({ event: { eventId, winners } }: { event: Event }) {
  const [page, setPage] = useState(1);
  const [chosen, setChosen] = useState<Player | null>(null);
  const { data, error, refetch } = useLeaderboardQuery({ eventId, page, limit: PAGE });
  return (
    <Card title="Leaderboard">
      {winners.length > 0 && (
        <p>
          <strong>{winners.length === 1 ? 'Winner' : 'Winners'}:</strong>{' '}
          {winners.map(({ username }) => username).join(', ')}
        </p>
      )}
      {data === undefined ? (
        error === undefined ? (
          <p role="status">Loading leaderboard...</p>
        ) : (
          <LoadFailure text={leaderboardFailure(error)} onRetry={() => void refetch()} />
        )
      ) : data.players.length === 0 ? (
        <p>Nobody has joined yet.</p>
      ) : (
        <>
          <div className={classes.scroll}>
            <table className={classes.table}>
              <thead>
                <tr>
                  <th scope="col">Rank</th>
                  <th scope="col">Player</th>
                  <th scope="col">Level</th>
                  <th scope="col">Wins</th>
                  <th scope="col">Losses</th>
                </tr>
              </thead>
              <tbody>
                {data.players.map((player, index) => (
                  <tr key={player.userId} data-out={player.isEliminated || undefined}>
                    <td>{player.rank ?? (page - 1) * PAGE + index + 1}</td>
                    <th scope="row">
                      <button
                        type="button"
                        onClick={() => setChosen(player)}
                        aria-label={`Games of ${player.username}`}
                      >
                        {player.username}
                      </button>
                      {player.isEliminated && <span className={classes.out}>eliminated</span>}
                    </th>
                    <td>{player.level}</td>
                    <td>{player.wins}</td>
                    <td>{player.losses}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          <Pager label="the leaderboard" pagination={data.pagination} onPage={setPage} />
        </>
      )}
      <PlayerGames eventId={eventId} player={chosen} onClose={() => setChosen(null)} />
    </Card>
  );
}
