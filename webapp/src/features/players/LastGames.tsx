import { Link } from 'react-router';
import { errorText } from '@/api/base';
import { type PlayerProfile, useHistoryQuery } from '@/api/players';
import buttons from '@/shared/ui/buttons.module.css';
import { Card } from '@/shared/ui/Card';
import { LoadFailure } from '@/shared/ui/LoadFailure';
import { gamesPath } from './historyFilters';
import { PlayedGames } from './PlayedGames';
import classes from './PlayerPage.module.css';

/** Games on the page of a player. */
const SHOWN = 5;

/** A player's last games, with replays, and the way to all of them. */
export function LastGames({ player: { userId, username } }: { player: PlayerProfile }) {
  const { currentData, error, refetch } = useHistoryQuery(
    { userId, page: 1, limit: SHOWN },
    { refetchOnMountOrArgChange: true },
  );
  return (
    <Card title="Last games">
      {currentData === undefined ? (
        error === undefined ? (
          <p role="status">Loading games…</p>
        ) : (
          <LoadFailure text={errorText(error, 'Request failed')} onRetry={() => void refetch()} />
        )
      ) : currentData.games.length === 0 ? (
        <p className={classes.soft}>No games yet. Games with friends are visible only to the two players.</p>
      ) : (
        <>
          <PlayedGames games={currentData.games} label="Last games" />
          <Link to={gamesPath(username)} className={buttons.button}>
            All games
          </Link>
        </>
      )}
    </Card>
  );
}
