import { Button } from '@mantine/core';
import { useState } from 'react';
import { useListBlockedQuery } from '@/api/people';
import { failureText } from '@/shared/account/failure';
import { PersonLabel } from '@/shared/people/PersonLabel';
import { nameOf } from '@/shared/people/personSummary';
import type { Met } from '@/shared/people/reportSlice';
import { useBlocking } from '@/shared/people/useBlocking';
import { Card } from '@/shared/ui/Card';
import { EmptyList } from '@/shared/ui/EmptyList';
import { LoadFailure } from '@/shared/ui/LoadFailure';
import classes from './Settings.module.css';

/** Whom the user blocks, the latest first. */
export function BlockedPeople() {
  const { data: people, error, refetch } = useListBlockedQuery(undefined, { refetchOnMountOrArgChange: true });
  return (
    <Card title="People you block">
      <p className={classes.soft}>
        You do not get their invitations and rematch offers, and they are not told that you blocked them. In events you
        may still be paired with them.
      </p>
      {people === undefined ? (
        error === undefined ? (
          <p role="status">Loading…</p>
        ) : (
          <LoadFailure text={failureText(error, 'Request failed')} onRetry={() => void refetch()} />
        )
      ) : people.length === 0 ? (
        <EmptyList>
          <p>You have not blocked anybody.</p>
          <p className={classes.soft}>In a game, press the opponent’s name to block them.</p>
        </EmptyList>
      ) : (
        <ul className={classes.list}>
          {people.map((person) => (
            <Row key={person.userId} person={person} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function Row({ person }: { person: Met }) {
  const { unblock } = useBlocking();
  const [isBusy, setBusy] = useState(false);
  const end = async () => {
    setBusy(true);
    await unblock(person);
    setBusy(false);
  };
  return (
    <li className={classes.row}>
      <div className={classes.what}>
        <PersonLabel person={person} size={36} />
        {nameOf(person) !== person.username && <span>@{person.username}</span>}
      </div>
      <Button variant="default" loading={isBusy} aria-label={`Unblock ${nameOf(person)}`} onClick={() => void end()}>
        Unblock
      </Button>
    </li>
  );
}
