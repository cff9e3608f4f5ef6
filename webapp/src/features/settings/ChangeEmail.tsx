import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useDispatch } from 'react-redux';
import { type User, useRequestEmailChangeMutation, useVerifyEmailChangeMutation } from '@/api/account';
import { isApiError } from '@/api/base';
import { CodeInput } from '@/shared/account/CodeInput';
import { failureText } from '@/shared/account/failure';
import { codeError, emailError } from '@/shared/account/rules';
import { userChanged } from '@/shared/session/sessionSlice';
import { Failure } from '@/shared/ui/Failure';
import { toast } from '@/shared/ui/toast';
import classes from './Settings.module.css';

/** Another email in three steps: the new one with the password, the code that comes there, done. */
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
      <TextInput
        label="New email"
        description="We send a code there to make sure that it is yours."
        type="email"
        autoComplete="email"
        required
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
  const dispatch = useDispatch();
  const [verify, { isLoading }] = useVerifyEmailChangeMutation();
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm({ mode: 'uncontrolled', initialValues: { code: '' }, validate: { code: codeError } });

  const submit = form.onSubmit(async ({ code }) => {
    setFailure(null);
    const { data, error } = await verify({ code: Number(code) });
    if (data !== undefined) {
      dispatch(userChanged(data.user));
      toast.success('Your email is changed. The old one got a letter, with a link that takes it back within 7 days.');
      onDone();
      return;
    }
    if (isApiError(error) && error.fieldErrors) form.setErrors(error.fieldErrors);
    else setFailure(failureText(error, 'Request failed'));
  });

  return (
    <form className={`${classes.form} ${classes.narrow}`} onSubmit={submit} noValidate>
      <p>
        A code is on its way to <strong>{email}</strong>. It is good for 10 minutes.
      </p>
      <CodeInput key={form.key('code')} {...form.getInputProps('code')} />
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
