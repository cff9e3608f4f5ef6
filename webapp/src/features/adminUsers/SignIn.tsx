import { Button, Checkbox, Modal, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import {
  type User,
  useChangeEmailOfMutation,
  useCreatePasswordLinkMutation,
  useRemoveSecondFactorOfMutation,
} from '@/api/admin';
import { emailError } from '@/shared/account/rules';
import { useFormSubmit } from '@/shared/account/useFormSubmit';
import { dateTime } from '@/shared/events/times';
import { ReasonForm, reasonError } from '@/shared/moderation/ReasonForm';
import { nameOf } from '@/shared/people/personSummary';
import { CopyField } from '@/shared/ui/CopyField';
import dialog from '@/shared/ui/dialog.module.css';
import { toast } from '@/shared/ui/toast';
import classes from './AccountDialog.module.css';

const FORMS = {
  link: { title: 'One-Time Link', Form: LinkForm },
  email: { title: 'Change Email', Form: EmailForm },
  factor: { title: 'Remove Second Factor', Form: FactorForm },
};

/** What an account signs in with, for an admin who helps its owner. */
export function SignIn({ user }: { user: User }) {
  const [asked, setAsked] = useState<keyof typeof FORMS>('link');
  const [isOpen, setOpen] = useState(false);
  if (user.isAdmin) {
    return (
      <p>
        What an admin signs in with is changed on the server itself: <code>morpion admin --help</code>.
      </p>
    );
  }
  const ask = (form: keyof typeof FORMS) => {
    setAsked(form);
    setOpen(true);
  };
  const close = () => setOpen(false);
  const { title, Form } = FORMS[asked];
  return (
    <>
      <p>
        {user.hasPassword ? 'A password' : 'No password'}
        {user.secondFactor ? ', and a second factor.' : ', no second factor.'}
      </p>
      <div className={classes.actions}>
        <Button variant="default" onClick={() => ask('link')}>
          Make One-Time Link
        </Button>
        <Button variant="default" onClick={() => ask('email')}>
          Change Email
        </Button>
        {user.secondFactor && (
          <Button variant="default" onClick={() => ask('factor')}>
            Remove Second Factor
          </Button>
        )}
      </div>
      <Modal title={title} opened={isOpen} onClose={close} closeButtonProps={{ 'aria-label': 'Close' }}>
        <Form user={user} onDone={close} />
      </Modal>
    </>
  );
}

interface FormProps {
  user: User;
  onDone: () => void;
}

/** Told where a confirmed email says that the owner reads it. */
function readersOf({ emailVerified }: User): string {
  return emailVerified
    ? 'Kept in the audit trail. They are told by email that it was done.'
    : 'Kept in the audit trail.';
}

function LinkForm({ user, onDone }: FormProps) {
  const name = nameOf(user);
  const [make, { isLoading }] = useCreatePasswordLinkMutation();
  const [made, setMade] = useState<{ address: string; expiresAt: string } | null>(null);
  const form = useForm({
    initialValues: { removeSecondFactor: false, reason: '' },
    validate: { reason: reasonError },
  });
  const { submit, failure } = useFormSubmit(
    form,
    async ({ removeSecondFactor, reason }) => {
      const { data, error } = await make({ account: user.username, removeSecondFactor, reason: reason.trim() });
      if (data === undefined) return error;
      setMade({ address: new URL(data.path, window.location.origin).href, expiresAt: data.expiresAt });
      return undefined;
    },
    { fieldErrors: 'instead' },
  );
  if (made !== null) {
    return (
      <div className={dialog.body}>
        <p>
          Give this link to <strong>{name}</strong> and to nobody else: whoever opens it can take the account over. It
          works once, until {dateTime(made.expiresAt)}, and is not shown again.
        </p>
        <CopyField label="One-time link" value={made.address} />
        <div className={dialog.actions}>
          <Button onClick={onDone}>Done</Button>
        </div>
      </div>
    );
  }
  return (
    <ReasonForm
      form={form}
      onSubmit={submit}
      failure={failure}
      effect={`With the link ${name} sets a new password, or makes a passkey. Every session ends then, and sign-in through another provider is removed. Make sure that it is really ${name} who is asking.`}
      readers={readersOf(user)}
      confirm="Make Link"
      isBusy={isLoading}
      onCancel={onDone}
    >
      {user.secondFactor && (
        <Checkbox
          label="The second factor is lost as well: remove it when the link is used"
          {...form.getInputProps('removeSecondFactor', { type: 'checkbox' })}
        />
      )}
    </ReasonForm>
  );
}

function EmailForm({ user, onDone }: FormProps) {
  const name = nameOf(user);
  const [change, { isLoading }] = useChangeEmailOfMutation();
  const form = useForm({
    initialValues: { newEmail: '', reason: '' },
    validate: { newEmail: emailError, reason: reasonError },
  });
  const { submit, failure } = useFormSubmit(form, async ({ newEmail, reason }) => {
    const { error } = await change({ account: user.username, newEmail: newEmail.trim(), reason: reason.trim() });
    if (error !== undefined) return error;
    toast.success(`${name} has the new email.`);
    onDone();
    return undefined;
  });
  return (
    <ReasonForm
      form={form}
      onSubmit={submit}
      failure={failure}
      effect={
        user.emailVerified
          ? `The new email counts as unconfirmed until ${name} enters the code that is sent there. A message to the present email lets its owner undo the change for 7 days.`
          : `The new email counts as unconfirmed until ${name} enters the code that is sent there.`
      }
      readers="Kept in the audit trail."
      confirm="Change Email"
      isBusy={isLoading}
      onCancel={onDone}
    >
      <TextInput label="New email" type="email" required autoComplete="off" {...form.getInputProps('newEmail')} />
    </ReasonForm>
  );
}

function FactorForm({ user, onDone }: FormProps) {
  const name = nameOf(user);
  const [remove, { isLoading }] = useRemoveSecondFactorOfMutation();
  const form = useForm({ initialValues: { reason: '' }, validate: { reason: reasonError } });
  const { submit, failure } = useFormSubmit(
    form,
    async ({ reason }) => {
      const { error } = await remove({ account: user.username, reason: reason.trim() });
      if (error !== undefined) return error;
      toast.success(`${name} signs in without a second factor now.`);
      onDone();
      return undefined;
    },
    { fieldErrors: 'instead' },
  );
  return (
    <ReasonForm
      form={form}
      onSubmit={submit}
      failure={failure}
      effect={`The authenticator app, the passkeys and the recovery codes of ${name} are removed: after that the password alone is enough. Make sure that it is really ${name} who is asking.`}
      readers={readersOf(user)}
      confirm="Remove Second Factor"
      isDanger
      isBusy={isLoading}
      onCancel={onDone}
    />
  );
}
