import { Button } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { type User, useRequestEmailChangeMutation, useVerifyEmailChangeMutation } from '@/api/account';
import { CODE_GOES_THERE, EmailField } from '@/shared/account/EmailField';
import { PasswordField } from '@/shared/account/PasswordField';
import { emailError, ownPasswordError } from '@/shared/account/rules';
import { useEmailCodeForm } from '@/shared/account/useEmailCodeForm';
import { useFormSubmit } from '@/shared/account/useFormSubmit';
import { userChanged } from '@/shared/session/sessionSlice';
import { Failure } from '@/shared/ui/Failure';
import { toast } from '@/shared/ui/toast';
import classes from './Settings.module.css';
import { useAppDispatch } from '@/shared/storeHooks';

/** Changes the email: new address and password first, then the code sent there. */
export function ChangeEmail({ user }: { user: User }) {
  const [isOpen, setOpen] = useState(false);
  const [wanted, setWanted] = useState<string | null>(null);
  const close = () => {
    setWanted(null);
    setOpen(false);
  };
  if (!isOpen) {
    return (
      <div className={classes.actions}>
        <Button variant="default" onClick={() => setOpen(true)}>
          Change email
        </Button>
      </div>
    );
  }
  return wanted === null ? (
    <Request user={user} onSent={setWanted} onCancel={close} />
  ) : (
    <Verify email={wanted} onDone={close} onBack={() => setWanted(null)} />
  );
}

interface RequestProps {
  user: User;
  onSent: (email: string) => void;
  onCancel: () => void;
}

function Request({ user, onSent, onCancel }: RequestProps) {
  const [request, { isLoading }] = useRequestEmailChangeMutation();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { newEmail: '', password: '' },
    validate: {
      newEmail: emailError,
      password: (password) => (user.hasPassword ? ownPasswordError(password) : null),
    },
  });
  const send = async ({ newEmail, password }: { newEmail: string; password: string }) => {
    const email = newEmail.trim();
    const { error } = await request({ newEmail: email, ...(user.hasPassword ? { password } : {}) });
    if (error === undefined) onSent(email);
    return error;
  };
  const { submit, failure } = useFormSubmit(form, send, { fieldErrors: 'instead' });

  return (
    <form className={`${classes.form} ${classes.narrow}`} onSubmit={submit} noValidate>
      <EmailField
        label="New email"
        description={CODE_GOES_THERE}
        key={form.key('newEmail')}
        {...form.getInputProps('newEmail')}
      />
      {user.hasPassword && (
        <PasswordField label="Your password" key={form.key('password')} {...form.getInputProps('password')} />
      )}
      <Failure text={failure} />
      <div className={classes.actions}>
        <Button type="submit" loading={isLoading}>
          Send code
        </Button>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

interface VerifyProps {
  email: string;
  onDone: () => void;
  onBack: () => void;
}

function Verify({ email, onDone, onBack }: VerifyProps) {
  const dispatch = useAppDispatch();
  const [verify, { isLoading }] = useVerifyEmailChangeMutation();
  const { submit, field, failure } = useEmailCodeForm({
    verify: async (code) => {
      const { data, error } = await verify({ code });
      if (data === undefined) return error;
      dispatch(userChanged(data.user));
      toast.success(
        'Your email is changed. We sent your old address an email with a link to undo the change within 7 days.',
      );
      onDone();
      return undefined;
    },
  });

  return (
    <form className={`${classes.form} ${classes.narrow}`} onSubmit={submit} noValidate>
      <p>
        A code is on its way to <strong>{email}</strong>. It works for 10 minutes.
      </p>
      {field}
      <Failure text={failure} />
      <div className={classes.actions}>
        <Button type="submit" loading={isLoading}>
          Change email
        </Button>
        <Button variant="default" onClick={onBack}>
          Another email
        </Button>
      </div>
    </form>
  );
}
