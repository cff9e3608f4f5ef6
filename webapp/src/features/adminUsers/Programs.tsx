import { Button } from '@mantine/core';
import { useState } from 'react';
import { type User, useDeletePersonalTokensOfMutation, usePersonalTokensOfQuery } from '@/api/admin';
import { errorText, isProofDeclined } from '@/api/base';
import type { PersonalToken } from '@/api/programs';
import { failureText } from '@/shared/account/failure';
import { dateTime } from '@/shared/events/times';
import { nameOf } from '@/shared/people/personSummary';
import { ConfirmDialog } from '@/shared/ui/ConfirmDialog';
import { LoadFailure } from '@/shared/ui/LoadFailure';
import { toast } from '@/shared/ui/toast';
import classes from './AccountDialog.module.css';

/** Loaded only on a press, since the audit trail records who looked at them. */
export function Programs({ user }: { user: User }) {
  const [isShown, setShown] = useState(false);
  if (isShown) return <Tokens user={user} />;
  return (
    <Button variant="default" onClick={() => setShown(true)}>
      Show Personal Tokens
    </Button>
  );
}

/** The tokens by which programs act for a member; the secrets are known to nobody. */
function Tokens({ user }: { user: User }) {
  const { data, error, refetch } = usePersonalTokensOfQuery(user.userId, { refetchOnMountOrArgChange: true });
  const [asked, setAsked] = useState<PersonalToken | 'all' | null>(null);
  if (data === undefined) {
    return error === undefined ? (
      <p role="status">Loading tokens...</p>
    ) : (
      <LoadFailure text={errorText(error, 'Failed to load tokens')} onRetry={() => void refetch()} />
    );
  }
  const { tokens } = data;
  return (
    <>
      {tokens.length === 0 ? (
        <p>This member has no personal tokens.</p>
      ) : (
        <ul className={classes.sessions} aria-label="Personal tokens">
          {tokens.map((token) => (
            <li key={token.tokenId}>
              <div>
                <strong>{token.name}</strong>
                <span>
                  {token.scopes.join(', ')};{' '}
                  {token.lastUsedAt === undefined ? 'never used' : `last used ${dateTime(token.lastUsedAt)}`}; until{' '}
                  {dateTime(token.expiresAt)}
                </span>
              </div>
              <Button variant="default" aria-label={`Delete ${token.name}`} onClick={() => setAsked(token)}>
                Delete
              </Button>
            </li>
          ))}
        </ul>
      )}
      {tokens.length > 1 && (
        <Button variant="default" onClick={() => setAsked('all')}>
          Delete All Tokens
        </Button>
      )}
      <Question user={user} asked={asked} onDone={() => setAsked(null)} />
    </>
  );
}

interface QuestionProps {
  user: User;
  asked: PersonalToken | 'all' | null;
  onDone: () => void;
}

function Question({ user, asked, onDone }: QuestionProps) {
  const [remove, { isLoading }] = useDeletePersonalTokensOfMutation();
  const which = asked === 'all' || asked === null ? undefined : asked;
  const confirm = async () => {
    const { error } = await remove({
      userId: user.userId,
      ...(which === undefined ? {} : { tokenId: which.tokenId }),
    });
    if (isProofDeclined(error)) return;
    if (error === undefined) toast.success(which === undefined ? 'Tokens deleted.' : 'Token deleted.');
    else toast.error(failureText(error, 'Request failed'));
    onDone();
  };
  return (
    <ConfirmDialog
      title={which === undefined ? 'Delete all tokens' : `Delete ${which.name}`}
      opened={asked !== null}
      isBusy={isLoading}
      confirm="Delete"
      keep="Cancel"
      onConfirm={() => void confirm()}
      onKeep={onDone}
    >
      <p>
        Programs of {nameOf(user)} that use {which === undefined ? 'them' : 'it'} will be refused from now on, and their
        connections will be closed.
      </p>
    </ConfirmDialog>
  );
}
