import { Button, Modal, TextInput } from '@mantine/core';
import dayjs from 'dayjs';
import { type FormEvent, useState } from 'react';
import { Link } from 'react-router';
import { type User, useGrantProMutation, useRevokeProMutation } from '@/api/admin';
import { failureText } from '@/shared/account/failure';
import { nameOf } from '@/shared/people/personSummary';
import { Failure } from '@/shared/ui/Failure';
import { toast } from '@/shared/ui/toast';
import textLink from '@/shared/ui/textLink.module.css';
import classes from './AccountDialog.module.css';

/** The plan of an account, with a form to grant or revoke Pro. */
export function Plan({ user }: { user: User }) {
  const { userId, isProUser } = user;
  const name = nameOf(user);
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <p>{isProUser ? 'Pro: can join any number of events.' : 'Free: can join a few events each month.'}</p>
      <div className={classes.actions}>
        <Button variant="default" onClick={() => setAsking(true)}>
          {isProUser ? 'Revoke Pro' : 'Grant Pro'}
        </Button>
        <Link to={`/app/admin/billing?user=${userId}`} className={textLink.link}>
          Billing of {name}
        </Link>
      </div>
      <Modal
        title={isProUser ? `Revoke Pro from ${name}` : `Grant Pro to ${name}`}
        opened={isAsking}
        onClose={() => setAsking(false)}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {isProUser ? (
          <Revoke userId={userId} name={name} onDone={() => setAsking(false)} />
        ) : (
          <Grant userId={userId} name={name} onDone={() => setAsking(false)} />
        )}
      </Modal>
    </>
  );
}

interface FormProps {
  userId: string;
  name: string;
  onDone: () => void;
}

function Grant({ userId, name, onDone }: FormProps) {
  const [grant, { isLoading }] = useGrantProMutation();
  const [reason, setReason] = useState('');
  const [lastDay, setLastDay] = useState('');
  // By the admin's calendar, as the day that is picked.
  const [tomorrow] = useState(() => dayjs().add(1, 'day').format('YYYY-MM-DD'));
  const [failure, setFailure] = useState<string | null>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setFailure(null);
    const until = lastDay === '' ? {} : { until: new Date(`${lastDay}T23:59:59`).toISOString() };
    const { error } = await grant({ userId, reason: reason.trim(), ...until });
    if (error !== undefined) return setFailure(failureText(error, 'Failed to grant Pro'));
    toast.success(`${name} is a Pro user now.`);
    onDone();
  };
  return (
    <form className={classes.account} onSubmit={(event) => void submit(event)}>
      <Reason value={reason} onChange={setReason} />
      <TextInput
        type="date"
        label="Last day"
        description="If left empty, it lasts until it is revoked."
        min={tomorrow}
        value={lastDay}
        onChange={(event) => setLastDay(event.currentTarget.value)}
      />
      <Failure text={failure} />
      <div className={classes.actions}>
        <Button type="submit" loading={isLoading} disabled={reason.trim() === ''}>
          Grant Pro
        </Button>
      </div>
    </form>
  );
}

function Revoke({ userId, name, onDone }: FormProps) {
  const [revoke, { isLoading }] = useRevokeProMutation();
  const [reason, setReason] = useState('');
  const [failure, setFailure] = useState<string | null>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setFailure(null);
    const { data, error } = await revoke({ userId, reason: reason.trim() });
    if (error !== undefined) return setFailure(failureText(error, 'Failed to revoke Pro'));
    // A paid plan cannot be revoked.
    if (data.user.isProUser) toast.success(`The grant is revoked; ${name} keeps Pro as a paid plan.`);
    else toast.success(`${name} is no longer a Pro user.`);
    onDone();
  };
  return (
    <form className={classes.account} onSubmit={(event) => void submit(event)}>
      <p>Removes the grant. A paid plan continues.</p>
      <Reason value={reason} onChange={setReason} />
      <Failure text={failure} />
      <div className={classes.actions}>
        <Button type="submit" loading={isLoading} disabled={reason.trim() === ''}>
          Revoke Pro
        </Button>
      </div>
    </form>
  );
}

function Reason({ value, onChange }: { value: string; onChange: (reason: string) => void }) {
  return (
    <TextInput
      label="Reason"
      description="It is kept in the audit trail."
      required
      maxLength={500}
      data-autofocus
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
