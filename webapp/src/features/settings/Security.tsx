import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { useGetProvidersQuery, useLazyExportAccountQuery, useListSessionsQuery } from '@/api/account';
import { useListPersonalTokensQuery } from '@/api/programs';
import { useGetSecondFactorQuery } from '@/api/secondFactor';
import { useGetSiteQuery } from '@/api/site';
import { failureText } from '@/shared/account/failure';
import { VerifyEmail } from '@/shared/account/VerifyEmail';
import { selectIsRemembered } from '@/shared/session/sessionSlice';
import { GameFileLinks } from '@/shared/play/GameFileLinks';
import { Card } from '@/shared/ui/Card';
import { Failure } from '@/shared/ui/Failure';
import { saveFile } from '@/shared/saveFile';
import { ChangeEmail } from './ChangeEmail';
import { ChangePassword } from './ChangePassword';
import { Programs } from './Programs';
import { SecondFactorCards } from './SecondFactorCards';
import { Sessions } from './Sessions';
import classes from './Settings.module.css';
import { useAccount } from './useAccount';
import { useAppSelector } from '@/shared/storeHooks';
import { ifKnown, Loaded } from '@/shared/ui/Loaded';

export function Security() {
  const user = useAccount();
  const isRemembered = useAppSelector(selectIsRemembered);
  const providers = useGetProvidersQuery();
  const site = useGetSiteQuery();
  const kycUrl = ifKnown(site)?.kycUrl;
  const factor = useGetSecondFactorQuery(undefined, {
    skip: user.isTempUser,
    refetchOnMountOrArgChange: true,
  });
  const programs = useListPersonalTokensQuery(undefined, { skip: user.isTempUser, refetchOnMountOrArgChange: true });
  const sessions = useListSessionsQuery(undefined, { refetchOnMountOrArgChange: true });
  // Rendered only when all is known, so that nothing moves. What failed is known: parts of the page read it again, and
  // would be taken away for that, and come back, and read it again.
  if ([providers, site, sessions, factor, programs].some(({ isLoading, error }) => isLoading && error === undefined))
    return <p role="status">Loading…</p>;
  return (
    <>
      {!user.isTempUser && (
        <Card title="Email">
          {isRemembered ? (
            <p role="status">Your email appears when the server can be reached.</p>
          ) : user.emailVerified && user.email !== '' ? (
            <>
              <p>
                <strong>{user.email}</strong> is verified.
              </p>
              <ChangeEmail user={user} />
            </>
          ) : (
            <VerifyEmail email={user.email} />
          )}
        </Card>
      )}
      {!user.isTempUser && (
        <Loaded of={providers} loading="Loading…" failure="Request failed">
          {({ local }) => local && <ChangePassword />}
        </Loaded>
      )}
      {!user.isTempUser && (
        <SecondFactorCards factor={factor.data} error={factor.error} onRetry={() => void factor.refetch()} />
      )}
      <Sessions read={sessions} />
      {!user.isTempUser && <Programs read={programs} />}
      {kycUrl !== undefined && (
        <Card title="Identity">
          <p>Some prizes are only given to people whose identity was verified.</p>
          <div className={classes.actions}>
            <Button component={Link} to="/app/kyc" variant="default">
              Verify your identity
            </Button>
          </div>
        </Card>
      )}
      <YourData />
    </>
  );
}

/** Downloads the user's data. */
function YourData() {
  const [load, { isFetching }] = useLazyExportAccountQuery();
  const [failure, setFailure] = useState<string | null>(null);
  const save = async () => {
    setFailure(null);
    const { data, error } = await load();
    if (error === undefined) saveFile('morpion-data.json', JSON.stringify(data, null, 2), 'application/json');
    else setFailure(failureText(error, 'Request failed'));
  };
  return (
    <Card title="Your data">
      <p>Everything this server knows about you, as one JSON file: profile, sessions, games and events.</p>
      <Failure text={failure} />
      <div className={classes.actions}>
        <Button variant="default" loading={isFetching} onClick={() => void save()}>
          Download your data
        </Button>
      </div>
      <p>Or only your games: as readable text with tags, or as JSON with one game per line.</p>
      <div className={classes.actions}>
        <GameFileLinks />
      </div>
    </Card>
  );
}
