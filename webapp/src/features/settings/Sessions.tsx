import { Button } from '@mantine/core';
import { useState } from 'react';
import { type Session, useRevokeAllSessionsMutation, useRevokeSessionMutation } from '@/api/account';
import { failureText } from '@/shared/account/failure';
import { useEndSession, useSignOut } from '@/shared/session/useSignOut';
import { Card } from '@/shared/ui/Card';
import { ConfirmDialog } from '@/shared/ui/ConfirmDialog';
import { Failure } from '@/shared/ui/Failure';
import { toast } from '@/shared/ui/toast';
import classes from './Settings.module.css';
import { timeText } from './timeText';
import { Loaded, type Read } from '@/shared/ui/Loaded';

interface SessionsProps {
  read: Read<{ sessions: readonly Session[] }>;
}

/** The user's sessions, this one first. Each can be ended, and all at once. */
export function Sessions({ read }: SessionsProps) {
  const signOut = useSignOut();
  const [revoke] = useRevokeSessionMutation();
  const [ending, setEnding] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);

  const end = async (sessionId: string) => {
    setFailure(null);
    setEnding(sessionId);
    const { error } = await revoke({ sessionId });
    setFailure(error === undefined ? null : failureText(error, 'Request failed'));
    setEnding(null);
  };

  return (
    <Card title="Where you are signed in">
      <Loaded of={read} loading="Loading…" failure="Request failed">
        {({ sessions }) => (
          <>
            <ul className={classes.list}>
              {sessions
                .toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent))
                .map((session) => (
                  <li key={session.sessionId} className={classes.row}>
                    <What session={session} />
                    {session.isCurrent ? (
                      <Button variant="default" onClick={() => void signOut()}>
                        Sign out
                      </Button>
                    ) : (
                      <Button
                        variant="default"
                        loading={ending === session.sessionId}
                        aria-label={`Sign out ${session.device}, last used ${timeText(session.lastUsedAt)}`}
                        onClick={() => void end(session.sessionId)}
                      >
                        Sign out
                      </Button>
                    )}
                  </li>
                ))}
            </ul>
            <Failure text={failure} />
            {sessions.length > 1 && <SignOutEverywhere />}
          </>
        )}
      </Loaded>
    </Card>
  );
}

function What({ session }: { session: Session }) {
  return (
    <div className={classes.what}>
      <strong>
        {session.device}
        {session.isCurrent && <span className={classes.badge}>This device</span>}
      </strong>
      <span>
        Last used {timeText(session.lastUsedAt)} from {session.address}
      </span>
      <span>
        Signed in {timeText(session.createdAt)}, ends {timeText(session.expiresAt)} if not used
      </span>
    </div>
  );
}

type Which = 'others' | 'all';

const QUESTIONS: Record<Which, { title: string; text: string; confirm: string }> = {
  others: {
    title: 'Sign out everywhere else?',
    text: 'Every other browser and app has to sign in again, and your programs need new tokens. You stay signed in here.',
    confirm: 'Sign out the others',
  },
  all: {
    title: 'Sign out everywhere?',
    text: 'Every browser and app has to sign in again, this one too, and your programs need new tokens.',
    confirm: 'Sign out all',
  },
};

function SignOutEverywhere() {
  const [revokeAll, { isLoading }] = useRevokeAllSessionsMutation();
  const endSession = useEndSession();
  const [asked, setAsked] = useState<Which | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const ask = (which: Which) => {
    setFailure(null);
    setAsked(which);
  };

  const signOut = async (which: Which) => {
    const call = () => revokeAll({ includeCurrent: which === 'all' });
    const error = which === 'all' ? await endSession(call) : (await call()).error;
    setAsked(null);
    if (error !== undefined) setFailure(failureText(error, 'Request failed'));
    else if (which === 'others') toast.success('You are signed out everywhere else.');
  };
  const { title, text, confirm } = QUESTIONS[asked ?? 'others'];

  return (
    <>
      <Failure text={failure} />
      <div className={classes.actions}>
        <Button variant="default" onClick={() => ask('others')}>
          Sign out everywhere else
        </Button>
        <Button variant="danger" onClick={() => ask('all')}>
          Sign out everywhere
        </Button>
      </div>
      <ConfirmDialog
        title={title}
        opened={asked !== null}
        confirm={confirm}
        keep="Cancel"
        isBusy={isLoading}
        onConfirm={() => void signOut(asked ?? 'others')}
        onKeep={() => setAsked(null)}
      >
        <p>{text}</p>
      </ConfirmDialog>
    </>
  );
}
