import { Button, PasswordInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { type User, useRequestEmailChangeMutation, useVerifyEmailChangeMutation } from '@/api/account';
import { isApiError } from '@/api/base';
import { CODE_GOES_THERE, EmailField } from '@/shared/account/EmailField';
import { failureText } from '@/shared/account/failure';
import { emailError } from '@/shared/account/rules';
import { useEmailCodeForm } from '@/shared/account/useEmailCodeForm';
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
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { newEmail: '', password: '' },
    validate: {
      newEmail: emailError,
      password: (password) => (user.hasPassword && password === '' ? 'Password cannot be empty' : null),
    },
  });

  const submit = form.onSubmit(async ({ newEmail, password }) => {
    setFailure(null);
    const email = newEmail.trim();
    const { error } = await request({ newEmail: email, ...(user.hasPassword ? { password } : {}) });
    if (error === undefined) onSent(email);
    else if (isApiError(error) && error.fieldErrors) form.setErrors(error.fieldErrors);
    else setFailure(failureText(error, 'Request failed'));
  });

  return (
    <form className={`${classes.form} ${classes.narrow}`} onSubmit={submit} noValidate>
      <EmailField
        label="New email"
        description={CODE_GOES_THERE}
        key={form.key('newEmail')}
        {...form.getInputProps('newEmail')}
      />
      {user.hasPassword && (
        <PasswordInput
          label="Your password"
          autoComplete="current-password"
          required
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
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
      toast.success('Your email is changed. The old one got a letter, with a link that takes it back within 7 days.');
      onDone();
      return undefined;
    },
  });

  return (
    <form className={`${classes.form} ${classes.narrow}`} onSubmit={submit} noValidate>
      <p>
        A code is on its way to <strong>{email}</strong>. It is good for 10 minutes.
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
