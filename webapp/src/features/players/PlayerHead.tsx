import { Button } from '@mantine/core';
import { Suspense, useState } from 'react';
import { lazyPart } from '@/shared/ui/lazyPart';
import { Link } from 'react-router';
import type { PlayerProfile } from '@/api/players';
import { Avatar } from '@/shared/people/Avatar';
import { BotBadge } from '@/shared/people/BotBadge';
import { type Met, reportBegun } from '@/shared/people/reportSlice';
import { useBlocking } from '@/shared/people/useBlocking';
import { selectUser } from '@/shared/session/sessionSlice';
import { useAppDispatch, useAppSelector } from '@/shared/storeHooks';
import buttons from '@/shared/ui/buttons.module.css';
import { VISIBILITY_TEXTS } from '@/shared/people/visibility';
import classes from './PlayerPage.module.css';
import { month } from './texts';

const ChallengeDialog = lazyPart(async () => ({
  default: (await import('@/shared/invite/ChallengeDialog')).ChallengeDialog,
}));

interface PlayerHeadProps {
  player: PlayerProfile;
  isOwn: boolean;
}

/** Who it is, since when, and what one can do. */
export function PlayerHead({ player, isOwn }: PlayerHeadProps) {
  const { username, displayName, profileUrl, memberSince, visibility } = player;
  const name = displayName || username;
  return (
    <header className={classes.head}>
      <title>{`${name} · Morpion`}</title>
      <Avatar name={name} picture={profileUrl} size={96} />
      <div className={classes.who}>
        <h1>
          {name}
          <BotBadge person={player} />
        </h1>
        <p>
          <span>@{username}</span>
          {memberSince !== undefined && <span>{`Member since ${month(memberSince)}`}</span>}
        </p>
        {player.isBot === true && <p>A bot: a program plays on this account. Its games with people are not rated.</p>}
        {isOwn && visibility !== undefined && (
          <p>
            {`${VISIBILITY_TEXTS[visibility].seen} `}
            <Link to="/app/setting/edit">Change it</Link>
          </p>
        )}
      </div>
      {isOwn ? (
        <div className={classes.acts}>
          <Link to="/app/setting/edit" className={buttons.button}>
            Edit your profile
          </Link>
          <Link to="/app/setting/subscription" className={buttons.button}>
            Your plan
          </Link>
          <Link to="/app/setting" className={buttons.button}>
            Settings
          </Link>
        </div>
      ) : (
        <Acts player={player} />
      )}
    </header>
  );
}

function Acts({ player }: { player: PlayerProfile }) {
  const dispatch = useAppDispatch();
  const viewer = useAppSelector(selectUser);
  const { block, unblock } = useBlocking();
  const [challenged, setChallenged] = useState<Met | null>(null);
  const [isBusy, setBusy] = useState(false);
  if (viewer === null) return null;
  const isBlocked = player.blockedByMe ?? false;
  const change = async () => {
    setBusy(true);
    await (isBlocked ? unblock : block)(player);
    setBusy(false);
  };
  return (
    <div className={classes.acts}>
      {isBlocked ? (
        <p className={classes.soft}>You have blocked this player.</p>
      ) : (
        <Button onClick={() => setChallenged(player)}>Challenge</Button>
      )}
      <Button variant="default" loading={isBusy} onClick={() => void change()}>
        {isBlocked ? 'Unblock' : 'Block'}
      </Button>
      {!viewer.isTempUser && (
        <Button variant="default" onClick={() => dispatch(reportBegun({ person: player, gameId: null }))}>
          Report
        </Button>
      )}
      <Suspense fallback={null}>
        <ChallengeDialog person={challenged} onClose={() => setChallenged(null)} />
      </Suspense>
    </div>
  );
}
