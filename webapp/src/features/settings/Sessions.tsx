import { Button } from '@mantine/core';
import { useState } from 'react';
import { type Session, useListSessionsQuery, useRevokeSessionMutation } from '@/api/account';
import { failureText } from '@/shared/account/failure';
import { useSignOut } from '@/shared/session/useSignOut';
import { Card } from '@/shared/ui/Card';
import { Failure } from '@/shared/ui/Failure';
import classes from './Settings.module.css';

/** The user's sessions, each of which can be ended. */
export function Sessions() {
  const signOut = useSignOut();
  const { data, error } = useListSessionsQuery();
  const [revoke] = useRevokeSessionMutation();
  const [ending, setEnding] = useState<readonly string[]>([]);
  const [failure, setFailure] = useState<string | null>(null);
  const sessions = data?.sessions ?? [];
  const others = sessions.filter(({ isCurrent }) => !isCurrent);

  const end = async (chosen: readonly Session[]) => {
    setFailure(null);
    setEnding(chosen.map(({ sessionId }) => sessionId));
    for (const { sessionId } of chosen) {
      const { error } = await revoke({ sessionId });
      if (error !== undefined) setFailure(failureText(error, 'Request failed'));
    }
    setEnding([]);
  };

  return (
    <Card title="Where you are signed in">
      <ul className={classes.list} aria-busy={data === undefined && error === undefined}>
        {sessions.map((session) => (
          <li key={session.sessionId} className={classes.row}>
            <div className={classes.what}>
              <strong>
                {session.device}
                {session.isCurrent && <span className={classes.badge}>This device</span>}
              </strong>
              <span>
                Last used {timeText(session.lastUsedAt)} from {session.address}
              </span>
              <span>Signed in {timeText(session.createdAt)}</span>
            </div>
            {session.isCurrent ? (
              <Button variant="default" onClick={() => void signOut()}>
                Log Out
              </Button>
            ) : (
              <Button
                variant="default"
                loading={ending.includes(session.sessionId)}
                aria-label={`Sign out ${session.device}, last used ${timeText(session.lastUsedAt)}`}
                onClick={() => void end([session])}
              >
                Sign out
              </Button>
            )}
          </li>
        ))}
      </ul>
      <Failure text={failure ?? (error === undefined ? null : failureText(error, 'Request failed'))} />
      {others.length > 1 && (
        <div className={classes.actions}>
          <Button variant="default" loading={ending.length > 1} onClick={() => void end(others)}>
            Sign out all other devices
          </Button>
        </div>
      )}
    </Card>
  );
}

const times = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

function timeText(iso: string): string {
  return times.format(new Date(iso));
}
