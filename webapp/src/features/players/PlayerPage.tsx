import { useEffect } from 'react';
import { useNavigate, useParams } from 'react-router';
import { errorText, isApiError } from '@/api/base';
import { type PlayerProfile, usePlayerProfileQuery } from '@/api/players';
import { SignInHint } from '@/shared/events/SignInHint';
import { playerPath } from '@/shared/people/playerPath';
import { selectUser } from '@/shared/session/sessionSlice';
import { useAppSelector } from '@/shared/storeHooks';
import { Card } from '@/shared/ui/Card';
import { LoadFailure } from '@/shared/ui/LoadFailure';
import { PageHeading } from '@/shared/ui/PageHeading';
import { EventPlaces } from './EventPlaces';
import { HeadToHead } from './HeadToHead';
import { LastGames } from './LastGames';
import { NoPlayer } from './NoPlayer';
import { PlayerHead } from './PlayerHead';
import classes from './PlayerPage.module.css';
import { RatingCard } from './RatingCard';
import { ResultsByBoard } from './ResultsByBoard';

/** A player as others see them: docs/behaviour/player-pages.md. */
export default function PlayerPage() {
  const { username = '' } = useParams();
  const navigate = useNavigate();
  const { currentData: player, error, refetch } = usePlayerProfileQuery(username, { refetchOnMountOrArgChange: true });

  // A former username, or another spelling, leads to the present one.
  const present = player?.username;
  useEffect(() => {
    const path = present === undefined || present === username ? undefined : playerPath(present);
    if (path !== undefined) void navigate(path, { replace: true });
  }, [present, username, navigate]);

  if (player !== undefined) return <Player player={player} />;
  if (error === undefined) {
    return (
      <>
        <PageHeading title={`@${username}`} />
        <p role="status">Loading the player…</p>
      </>
    );
  }
  if (isApiError(error) && error.status === 404) return <NoPlayer username={username} />;
  return (
    <>
      <PageHeading title={`@${username}`} />
      {isApiError(error) && error.code === 'members-only' ? (
        <SignInHint>{`@${username} shows this to members only.`}</SignInHint>
      ) : (
        <LoadFailure text={errorText(error, 'The player could not be loaded.')} onRetry={() => void refetch()} />
      )}
    </>
  );
}

function Player({ player }: { player: PlayerProfile }) {
  const viewer = useAppSelector(selectUser);
  const isOwn = viewer?.userId === player.userId;
  return (
    <>
      <PlayerHead player={player} isOwn={isOwn} />
      <div className={classes.cards}>
        <div className={classes.column}>
          {player.hidden ? (
            <Card title="Results and games">
              <p>
                {player.visibility === 'nobody'
                  ? `${player.displayName} keeps their results and games private.`
                  : `${player.displayName} shows this to members only. Create an account to see it; your games come with you.`}
              </p>
            </Card>
          ) : (
            <>
              <RatingCard player={player} isOwn={isOwn} />
              <ResultsByBoard results={player.results} isOwn={isOwn} />
              <EventPlaces events={player.events} isOwn={isOwn} />
            </>
          )}
        </div>
        <div className={classes.column}>
          {viewer !== null && !isOwn && <HeadToHead player={player} viewer={viewer} />}
          {!player.hidden && <LastGames player={player} />}
        </div>
      </div>
    </>
  );
}
