import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { Link } from 'react-router';
import { type PlayedOpponent, useListOpponentsQuery } from '@/api/players';
import { useRealtimeEvent } from '@/realtime/RealtimeContext';
import { PersonAvatar } from '@/shared/people/PersonLabel';
import { NameLink } from '@/shared/people/PersonLink';
import { RatingText } from '@/shared/people/RatingText';
import { nameOf } from '@/shared/people/personSummary';
import { selectUser } from '@/shared/session/sessionSlice';
import { useAppSelector } from '@/shared/storeHooks';
import buttons from '@/shared/ui/buttons.module.css';
import { Card } from '@/shared/ui/Card';
import classes from './ActiveGames.module.css';

const ChallengeDialog = lazy(async () => ({
  default: (await import('@/shared/invite/ChallengeDialog')).ChallengeDialog,
}));

/** As many as the card beside it has room for. */
const SHOWN = 4;

/** Whom the user played last, with the results between them. */
export function PeoplePlayed() {
  const isSignedIn = useAppSelector(selectUser) !== null;
  const { data, isLoading, isUninitialized, refetch } = useListOpponentsQuery(SHOWN, {
    skip: !isSignedIn,
    refetchOnMountOrArgChange: true,
  });
  const [challenged, setChallenged] = useState<PlayedOpponent | null>(null);
  useRealtimeEvent('gameEnd', () => void refetch());
  const opponents = data ?? [];
  return (
    <Card title="People you played">
      {opponents.length > 0 ? (
        <ul className={classes.games}>
          {opponents.map((opponent) => (
            <li key={opponent.userId} className={classes.game}>
              <PersonAvatar person={opponent} />
              <div className={classes.about}>
                <strong>
                  {opponent.isTempUser ? nameOf(opponent) : <NameLink person={opponent} />}
                  {opponent.rating !== undefined && (
                    <>
                      {' '}
                      <RatingText rating={opponent.rating} />
                    </>
                  )}
                </strong>
                <span>{betweenText(opponent)}</span>
              </div>
              <div className={classes.actions}>
                <Button
                  variant="default"
                  aria-label={`Challenge ${nameOf(opponent)}`}
                  onClick={() => setChallenged(opponent)}
                >
                  Challenge
                </Button>
              </div>
            </li>
          ))}
        </ul>
      ) : (
        <div className={classes.empty}>
          <p>
            {isLoading || isUninitialized
              ? 'Looking for the people you played…'
              : 'Nobody yet. After your first game your opponents stand here, one press from the next.'}
          </p>
          <Link to="/app/play" className={buttons.button}>
            Find an opponent
          </Link>
        </div>
      )}
      <Suspense fallback={null}>
        {challenged !== null && <ChallengeDialog person={challenged} onClose={() => setChallenged(null)} />}
      </Suspense>
    </Card>
  );
}

/** The results between the two, from the user's side. */
function betweenText({ results: { wins, losses, draws } }: PlayedOpponent): string {
  const sum = wins + losses + draws;
  const score = `${wins} : ${losses}${draws > 0 ? `, ${draws} drawn` : ''}`;
  if (wins === losses) return `${score} · level after ${sum} ${sum === 1 ? 'game' : 'games'}`;
  return `${score} · ${wins > losses ? 'you lead' : 'they lead'}`;
}
