import { Button, Modal } from '@mantine/core';
import { useState } from 'react';
import {
  type Session,
  type User,
  useRevokeSessionOfMutation,
  useSessionsOfQuery,
  useSetAdminMutation,
} from '@/api/admin';
import { errorText } from '@/api/base';
import { failureText } from '@/shared/account/failure';
import { dateTime } from '@/shared/events/times';
import { EngineEvidence } from '@/shared/engineUse/EngineEvidence';
import { PersonLabel } from '@/shared/people/PersonLabel';
import { nameOf } from '@/shared/people/personSummary';
import { ConfirmDialog } from '@/shared/ui/ConfirmDialog';
import { LoadFailure } from '@/shared/ui/LoadFailure';
import { toast } from '@/shared/ui/toast';
import classes from './AccountDialog.module.css';
import { Hosting } from './Hosting';
import { Plan } from './Plan';
import { Programs } from './Programs';
import { SignIn } from './SignIn';

interface AccountDialogProps {
  /** Null if no account is selected. */
  user: User | null;
  onClose: () => void;
}

/** One account: its profile, sessions, admin rights and plan. */
export function AccountDialog({ user, onClose }: AccountDialogProps) {
  return (
    <Modal
      title={user !== null && <PersonLabel person={user} />}
      opened={user !== null}
      onClose={onClose}
      size="lg"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {user !== null && <Account key={user.userId} user={user} />}
    </Modal>
  );
}

function Account({ user }: { user: User }) {
  const { username, email, emailVerified, createdAt, lastSeenAt, isTempUser } = user;
  return (
    <div className={classes.account}>
      <dl className={classes.facts}>
        <dt>Username</dt>
        <dd>{username}</dd>
        <dt>Email</dt>
        <dd>{email === '' ? 'None' : `${email} (${emailVerified ? 'verified' : 'not verified'})`}</dd>
        <dt>Since</dt>
        <dd>{dateTime(createdAt)}</dd>
        {lastSeenAt !== undefined && (
          <>
            <dt>Last seen</dt>
            <dd>{dateTime(lastSeenAt)}</dd>
          </>
        )}
      </dl>
      <section>
        <h3>Sessions</h3>
        <Sessions userId={user.userId} />
      </section>
      <section>
        <h3>Sign-In</h3>
        {isTempUser ? <p>A guest has nothing to sign in with.</p> : <SignIn user={user} />}
      </section>
      {!isTempUser && (
        <section>
          <h3>Programs</h3>
          <Programs user={user} />
        </section>
      )}
      <section>
        <h3>Role</h3>
        {isTempUser ? <p>A guest cannot be an admin.</p> : <Role user={user} />}
      </section>
      {!isTempUser && !user.isAdmin && (
        <section>
          <h3>Hosting</h3>
          <Hosting user={user} />
        </section>
      )}
      <section>
        <h3>Plan</h3>
        {isTempUser ? <p>A guest cannot be a Pro user.</p> : <Plan user={user} />}
      </section>
      {!isTempUser && (
        <section>
          <h3>Engine Use</h3>
          <Comparison userId={user.userId} />
        </section>
      )}
    </div>
  );
}

/** Asked for only on a press, since the audit trail says who looked at it. */
function Comparison({ userId }: { userId: string }) {
  const [isShown, setShown] = useState(false);
  if (isShown) return <EngineEvidence userId={userId} isBrief />;
  return (
    <Button variant="default" onClick={() => setShown(true)}>
      Show the Comparison with the Solver
    </Button>
  );
}

function Sessions({ userId }: { userId: string }) {
  const { data, error, refetch } = useSessionsOfQuery(userId, { refetchOnMountOrArgChange: true });
  if (data === undefined) {
    return error === undefined ? (
      <p role="status">Loading sessions...</p>
    ) : (
      <LoadFailure text={errorText(error, 'Failed to load sessions')} onRetry={() => void refetch()} />
    );
  }
  if (data.sessions.length === 0) return <p>Signed in nowhere.</p>;
  return (
    <ul className={classes.sessions}>
      {data.sessions.map((session) => (
        <SessionRow key={session.sessionId} userId={userId} session={session} />
      ))}
    </ul>
  );
}

function SessionRow({ userId, session }: { userId: string; session: Session }) {
  const { sessionId, device, address, lastUsedAt, isCurrent } = session;
  const [revoke, { isLoading }] = useRevokeSessionOfMutation();
  const end = async () => {
    const { error } = await revoke({ userId, sessionId });
    if (error === undefined) toast.success('Session ended.');
    else toast.error(failureText(error, 'Failed to end the session'));
  };
  return (
    <li>
      <div>
        <strong>{device}</strong>
        <span>
          {address}, last used {dateTime(lastUsedAt)}
        </span>
      </div>
      {isCurrent ? (
        <span>This session</span>
      ) : (
        <Button
          variant="default"
          loading={isLoading}
          onClick={() => void end()}
          aria-label={`End the session on ${device} from ${address}`}
        >
          End
        </Button>
      )}
    </li>
  );
}

function Role({ user }: { user: User }) {
  const { userId, isAdmin, adminClaim } = user;
  const name = nameOf(user);
  const [setAdmin, { isLoading }] = useSetAdminMutation();
  const [isAsking, setAsking] = useState(false);
  const change = async () => {
    const { error } = await setAdmin({ userId, isAdmin: !isAdmin });
    setAsking(false);
    if (error === undefined) toast.success(isAdmin ? `${name} is no longer an admin.` : `${name} is an admin now.`);
    else toast.error(failureText(error, 'Failed to change the role'));
  };
  return (
    <>
      <p>{isAdmin ? 'An admin: runs events, reads logs, and manages people.' : 'A player.'}</p>
      {adminClaim !== undefined && (
        <p>
          By a group at {adminClaim.issuer}, until {dateTime(adminClaim.until)} or the next sign-in there.
        </p>
      )}
      <Button variant="default" onClick={() => setAsking(true)}>
        {isAdmin ? 'Remove as Admin' : 'Make Admin'}
      </Button>
      <ConfirmDialog
        title={isAdmin ? 'Remove as Admin' : 'Make Admin'}
        opened={isAsking}
        confirm={isAdmin ? 'Remove as Admin' : 'Make Admin'}
        keep="Keep as It Is"
        isBusy={isLoading}
        onConfirm={() => void change()}
        onKeep={() => setAsking(false)}
      >
        {isAdmin ? (
          <p>
            <strong>{name}</strong> can no longer run events, read logs or manage people.
            {adminClaim !== undefined && ' Their next sign-in with the group makes them an admin again.'}
          </p>
        ) : (
          <p>
            <strong>{name}</strong> will be able to do everything you can, including adding and removing admins.
          </p>
        )}
      </ConfirmDialog>
    </>
  );
}
