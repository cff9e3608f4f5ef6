import { Button, Checkbox, Modal, NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { isProofDeclined } from '@/api/base';
import {
  type PersonalToken,
  type ProgramScope,
  useCreatePersonalTokenMutation,
  useDeletePersonalTokenMutation,
} from '@/api/programs';
import { failureText } from '@/shared/account/failure';
import { OneTimeSecret } from '@/shared/account/OneTimeSecret';
import { useFormSubmit } from '@/shared/account/useFormSubmit';
import { Card } from '@/shared/ui/Card';
import { ConfirmDialog } from '@/shared/ui/ConfirmDialog';
import dialog from '@/shared/ui/dialog.module.css';
import { Failure } from '@/shared/ui/Failure';
import { Loaded, type Read } from '@/shared/ui/Loaded';
import { toast } from '@/shared/ui/toast';
import { composed, visibleError } from '@/shared/visible';
import { BecomeBot } from './BecomeBot';
import classes from './Settings.module.css';
import { timeText } from './timeText';

/** What a program may do, in words. */
const SCOPES: Record<ProgramScope, { label: string; description: string; brief: string }> = {
  read: {
    label: 'Read',
    description: 'Games, players, events and ratings that you can see. Never your email.',
    brief: 'Reads',
  },
  play: { label: 'Play', description: 'Make and join games, move, give up, look for opponents.', brief: 'Plays' },
  event: {
    label: 'Events',
    description: 'Sign up and withdraw, enter event rooms, run your own private events.',
    brief: 'Takes part in events',
  },
};

const ALL = Object.keys(SCOPES) as ProgramScope[];

/** How long a token lasts: the days that are offered. */
const DAYS = ['7', '30', '90', '365'];

const NAME_MAX = 40;

interface ProgramsProps {
  read: Read<{ tokens: readonly PersonalToken[]; most: number }>;
}

/** The user's personal tokens, by which programs act for them. */
export function Programs({ read }: ProgramsProps) {
  const [isMaking, setMaking] = useState(false);
  return (
    <Card title="Programs">
      <p>
        A program of yours, such as a bot or your club&apos;s website, acts for you with a token. It cannot see or
        change your account, your email or your payments. Changing your password, or signing out everywhere, ends all
        tokens.
      </p>
      <Loaded of={read} loading="Loading…" failure="Request failed">
        {({ tokens, most }) => (
          <>
            {tokens.length === 0 ? (
              <p className={classes.soft}>No program acts for you.</p>
            ) : (
              <ul className={classes.list} aria-label="Programs">
                {tokens.map((token) => (
                  <Row key={token.tokenId} token={token} />
                ))}
              </ul>
            )}
            {tokens.length >= most && (
              <p className={classes.soft}>You have {most} tokens, which is the most. Delete one to make another.</p>
            )}
            <div className={classes.actions}>
              <Button variant="default" disabled={tokens.length >= most} onClick={() => setMaking(true)}>
                Make a token
              </Button>
            </div>
            <BecomeBot />
          </>
        )}
      </Loaded>
      <Modal
        title="Make a token"
        opened={isMaking}
        onClose={() => setMaking(false)}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <TokenForm onDone={() => setMaking(false)} />
      </Modal>
    </Card>
  );
}

function Row({ token: { tokenId, name, scopes, createdAt, expiresAt, lastUsedAt } }: { token: PersonalToken }) {
  const [remove, { isLoading }] = useDeletePersonalTokenMutation();
  const [isAsking, setAsking] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const confirm = async () => {
    setFailure(null);
    const { error } = await remove({ tokenId });
    if (error === undefined) toast.success(`The token ${name} no longer works.`);
    else if (!isProofDeclined(error)) setFailure(failureText(error, 'Request failed'));
  };
  return (
    <li className={classes.row}>
      <div className={classes.what}>
        <strong>{name}</strong>
        <span>{scopes.map((scope) => SCOPES[scope].brief).join(', ')}</span>
        <span>
          Made {timeText(createdAt)}, {lastUsedAt === undefined ? 'not used yet' : `last used ${timeText(lastUsedAt)}`}
        </span>
        <span>Works until {timeText(expiresAt)}</span>
      </div>
      <Button variant="danger" aria-label={`Delete ${name}`} onClick={() => setAsking(true)}>
        Delete
      </Button>
      <ConfirmDialog
        title={`Delete “${name}”?`}
        opened={isAsking}
        confirm="Delete token"
        keep="Keep it"
        isBusy={isLoading}
        onConfirm={() => void confirm()}
        onKeep={() => setAsking(false)}
      >
        <p>The program that uses it can no longer act for you. You can make another token at any time.</p>
        <Failure text={failure} />
      </ConfirmDialog>
    </li>
  );
}

function nameError(name: string): string | null {
  const { length } = [...composed(name)];
  if (length < 1 || length > NAME_MAX) return `A token needs a name of 1 to ${NAME_MAX} characters.`;
  return visibleError(name, 'The name');
}

function TokenForm({ onDone }: { onDone: () => void }) {
  const [make] = useCreatePersonalTokenMutation();
  const [made, setMade] = useState<{ token: string; personalToken: PersonalToken } | null>(null);
  const form = useForm({
    initialValues: { name: '', scopes: ['read'] as ProgramScope[], days: '90' },
    validate: {
      name: nameError,
      scopes: (scopes) => (scopes.length === 0 ? 'Please choose what the program may do.' : null),
    },
  });
  const { submit, failure } = useFormSubmit(
    form,
    async ({ name, scopes, days }) => {
      const { data, error } = await make({ name: name.trim(), scopes, expiresInDays: Number(days) });
      if (data === undefined) return error;
      setMade(data);
      return undefined;
    },
    { fieldErrors: 'instead' },
  );
  if (made !== null) {
    const { name, expiresAt } = made.personalToken;
    return (
      <OneTimeSecret label={`Token ${name}`} value={made.token} onDone={onDone}>
        Keep it like a password: whoever has it can act for you until {timeText(expiresAt)}.
      </OneTimeSecret>
    );
  }
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <TextInput
        label="Name of the program"
        description="So that you recognise it later, for example ‘My bot’."
        autoComplete="off"
        required
        data-autofocus
        {...form.getInputProps('name')}
      />
      <Checkbox.Group label="What it may do" required {...form.getInputProps('scopes')}>
        <div className={classes.choices}>
          {ALL.map((scope) => (
            <Checkbox key={scope} value={scope} label={SCOPES[scope].label} description={SCOPES[scope].description} />
          ))}
        </div>
      </Checkbox.Group>
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
        <Button type="submit" loading={form.submitting}>
          Make token
        </Button>
      </div>
    </form>
  );
}
