import { Button } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { Link } from 'react-router';
import { useUpdatePasswordMutation } from '@/api/account';
import { isApiError } from '@/api/base';
import { NewPasswordFields, newPasswordRules } from '@/shared/account/NewPasswordFields';
import { useFormSubmit } from '@/shared/account/useFormSubmit';
import { Failure } from '@/shared/ui/Failure';
import classes from './RecoveryPage.module.css';

interface PasswordStepProps {
  email: string;
  onChanged: () => void;
  onStartAgain: () => void;
}

export function PasswordStep({ email, onChanged, onStartAgain }: PasswordStepProps) {
  const [update, { isLoading }] = useUpdatePasswordMutation();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { newPassword: '', retyped: '' },
    validate: newPasswordRules,
  });
  // What the server says of an account that nobody confirmed the email of: its maker may be somebody else.
  const [unconfirmed, setUnconfirmed] = useState<string | null>(null);
  // The code was good for a while only, or for another browser.
  const [isOver, setOver] = useState(false);
  const { submit, failure } = useFormSubmit(form, async ({ newPassword }) => {
    const opens = unconfirmed === null ? {} : { openUnconfirmed: true };
    const { error } = await update({ email, newPassword, ...opens });
    if (error === undefined) onChanged();
    if (!isApiError(error) || error.code !== 'unconfirmed-account') {
      setOver(isApiError(error) && error.code === 'code-needed');
      return error;
    }
    setUnconfirmed(error.message ?? '');
    return undefined;
  });

  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      {/* Tells password managers whose password it is. */}
      <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />
      <NewPasswordFields form={form} />
      <Failure text={failure} />
      <Failure text={unconfirmed} />
      <Button type="submit" loading={isLoading} fullWidth>
        {unconfirmed === null ? 'Set password' : 'It’s mine: open it'}
      </Button>
      {isOver && (
        <Button variant="default" fullWidth onClick={onStartAgain}>
          Start again
        </Button>
      )}
      {unconfirmed !== null && (
        <Button component={Link} to="/register" variant="default" fullWidth>
          It’s not mine: sign up
        </Button>
      )}
    </form>
  );
}
