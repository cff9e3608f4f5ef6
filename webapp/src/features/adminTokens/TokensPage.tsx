import { Button, Modal, NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import {
  type OperatorToken,
  type TokenScope,
  useCreateTokenMutation,
  useListTokensQuery,
  useRevokeTokenMutation,
} from '@/api/admin';
import { isProofDeclined } from '@/api/base';
import { failureText } from '@/shared/account/failure';
import { OneTimeSecret } from '@/shared/account/OneTimeSecret';
import { useFormSubmit } from '@/shared/account/useFormSubmit';
import { dateTime } from '@/shared/events/times';
import { ConfirmDialog } from '@/shared/ui/ConfirmDialog';
import dialog from '@/shared/ui/dialog.module.css';
import { Failure } from '@/shared/ui/Failure';
import { Loaded } from '@/shared/ui/Loaded';
import { PageHeading } from '@/shared/ui/PageHeading';
import { toast } from '@/shared/ui/toast';
import classes from './TokensPage.module.css';

/** The one that the server makes itself, for the console and the commands on its machine. */
const LOCAL = 'local';

const SCOPES: Record<TokenScope, string> = {
  read: 'Read everything',
  events: 'Run events and games',
  accounts: 'Manage accounts',
  all: 'Everything, also admins and tokens',
};

/** How long a token lasts: the days that are offered. */
const DAYS = ['7', '30', '90', '365'];

/** Operator tokens: what programs sign in with. */
export default function TokensPage() {
  const tokens = useListTokensQuery(undefined, { refetchOnMountOrArgChange: true });
  const [isMaking, setMaking] = useState(false);
  return (
    <>
      <PageHeading title="Operator Tokens">What programs and the console sign in with, like an admin.</PageHeading>
      <div className={classes.top}>
        <Button onClick={() => setMaking(true)}>Make a Token</Button>
      </div>
      <Loaded of={tokens} loading="Loading tokens..." failure="Failed to load tokens">
        {({ tokens: listed, warnings, currentTokenId }) => (
          <>
            {warnings.length > 0 && (
              <ul className={classes.warnings} aria-label="Warnings">
                {warnings.map((warning) => (
                  <li key={warning}>{warning}</li>
                ))}
              </ul>
            )}
            {listed.length === 0 ? (
              <p>There are no tokens.</p>
            ) : (
              <ul className={classes.tokens} aria-label="Tokens">
                {listed.map((token) => (
                  <Token key={token.tokenId} token={token} isCurrent={token.tokenId === currentTokenId} />
                ))}
              </ul>
            )}
          </>
        )}
      </Loaded>
      <Modal
        title="Make a Token"
        opened={isMaking}
        onClose={() => setMaking(false)}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <TokenForm onDone={() => setMaking(false)} />
      </Modal>
    </>
  );
}

function Token({ token, isCurrent }: { token: OperatorToken; isCurrent: boolean }) {
  const { tokenId, name, scope, createdAt, expiresAt, lastUsedAt } = token;
  const [revoke, { isLoading }] = useRevokeTokenMutation();
  const [isAsking, setAsking] = useState(false);
  const remove = async () => {
    const { error } = await revoke({ tokenId });
    setAsking(false);
    if (error === undefined) toast.success(`The token ${name} no longer works.`);
    else if (!isProofDeclined(error)) toast.error(failureText(error, 'Failed to delete the token'));
  };
  return (
    <li className={classes.token}>
      <div className={classes.about}>
        <strong>{name}</strong>
        <span>
          {SCOPES[scope]}
          {isCurrent && ' · in use here'}
        </span>
        <span>
          Made {dateTime(createdAt)} · {lastUsedAt === undefined ? 'never used' : `last used ${dateTime(lastUsedAt)}`}
        </span>
        <span>{endText(token)}</span>
      </div>
      {name === LOCAL ? (
        <span className={classes.own}>This server&apos;s own</span>
      ) : (
        <Button variant="default" onClick={() => setAsking(true)} aria-label={`Delete the token ${name}`}>
          Delete
        </Button>
      )}
      <ConfirmDialog
        title="Delete Token"
        opened={isAsking}
        confirm="Delete Token"
        keep="Keep Token"
        isBusy={isLoading}
        onConfirm={() => void remove()}
        onKeep={() => setAsking(false)}
      >
        <p>
          Whatever uses <strong>{name}</strong> loses its access at once. This cannot be undone
          {expiresAt === undefined ? '.' : '; a new token can be made at any time.'}
        </p>
      </ConfirmDialog>
    </li>
  );
}

function endText({ name, expiresAt }: OperatorToken): string {
  if (expiresAt !== undefined) return `Works until ${dateTime(expiresAt)}`;
  return name === LOCAL ? 'Made anew at each start' : 'Never expires';
}

function TokenForm({ onDone }: { onDone: () => void }) {
  const [make, { isLoading }] = useCreateTokenMutation();
  const [made, setMade] = useState<{ name: string; token: string; expiresAt: string } | null>(null);
  const form = useForm({
    initialValues: { name: '', scope: 'read' as TokenScope, days: '90' },
    validate: { name: (name) => (name.trim() === '' ? 'Please give it a name.' : null) },
  });
  const { submit, failure } = useFormSubmit(
    form,
    async ({ name, scope, days }) => {
      const { data, error } = await make({ name: name.trim(), scope, expiresInDays: Number(days) });
      if (data === undefined) return error;
      setMade({ name: name.trim(), token: data.token, expiresAt: data.expiresAt });
      return undefined;
    },
    { fieldErrors: 'instead' },
  );
  if (made !== null) {
    return (
      <OneTimeSecret label={`Token ${made.name}`} value={made.token} onDone={onDone}>
        Keep it like a password: it works until {dateTime(made.expiresAt)}.
      </OneTimeSecret>
    );
  }
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <TextInput
        label="Name"
        description="What uses it: a program, a machine. Names are unique."
        required
        maxLength={50}
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('name')}
      />
      <NativeSelect
        label="What it may do"
        data={Object.entries(SCOPES).map(([value, label]) => ({ value, label }))}
        {...form.getInputProps('scope')}
      />
      <NativeSelect
        label="How long"
        data={DAYS.map((days) => ({ value: days, label: days === '365' ? 'A year' : `${days} days` }))}
        {...form.getInputProps('days')}
      />
      <Failure text={failure} />
      <div className={dialog.actions}>
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" loading={isLoading}>
          Make Token
        </Button>
      </div>
    </form>
  );
}
