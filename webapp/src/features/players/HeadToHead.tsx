import { Link } from 'react-router';
import type { User } from '@/api/account';
import { errorText } from '@/api/base';
import { type PlayerProfile, useHeadToHeadQuery } from '@/api/players';
import { PersonAvatar } from '@/shared/people/PersonLabel';
import { ShareBar } from '@/shared/plots/ShareBar';
import { Card } from '@/shared/ui/Card';
import { LoadFailure } from '@/shared/ui/LoadFailure';
import textLink from '@/shared/ui/textLink.module.css';
import { PlayedGames } from './PlayedGames';
import classes from './PlayerPage.module.css';
import { gamesPath } from './historyFilters';
import { resultsText, total } from './texts';

/** The viewer against this player. */
export function HeadToHead({ player, viewer }: { player: PlayerProfile; viewer: User }) {
  const { currentData, error, refetch } = useHeadToHeadQuery(player.userId, { refetchOnMountOrArgChange: true });
  return (
    <Card title="You and them">
      {currentData === undefined ? (
        error === undefined ? (
          <p role="status">Loading…</p>
        ) : (
          <LoadFailure text={errorText(error, 'Request failed')} onRetry={() => void refetch()} />
        )
      ) : total(currentData.results) === 0 ? (
        <p className={classes.soft}>You have not finished a game with each other yet.</p>
      ) : (
        <>
          <p className={classes.versus}>
            <PersonAvatar person={{ ...viewer, profileUrl: viewer.profile }} size={44} />
            <b>
              {currentData.results.wins} : {currentData.results.losses}
            </b>
            <PersonAvatar person={player} size={44} />
            <span>{resultsText(currentData.results)}</span>
          </p>
          <ShareBar {...currentData.results} seed={11} />
          <PlayedGames games={currentData.games} label="Your last games" withOpponent={false} />
          {total(currentData.results) > currentData.games.length && (
            <Link to={gamesPath(viewer.username, { opponent: player.username })} className={textLink.link}>
              All games between you
            </Link>
          )}
        </>
      )}
    </Card>
  );
}
