import { Button, PasswordInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { Link } from 'react-router';
import { useChangePasswordMutation } from '@/api/account';
import { isApiError } from '@/api/base';
import { failureText } from '@/shared/account/failure';
import { NewPasswordFields, newPasswordRules } from '@/shared/account/NewPasswordFields';
import { useRealtimePaused } from '@/shared/session/useRealtimePaused';
import { Card } from '@/shared/ui/Card';
import { Failure } from '@/shared/ui/Failure';
import { toast } from '@/shared/ui/toast';
import classes from './Settings.module.css';

export function ChangePassword() {
  const paused = useRealtimePaused();
  const [change, { isLoading }] = useChangePasswordMutation();
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { currentPassword: '', newPassword: '', retyped: '' },
    validate: {
      currentPassword: (password) => (password === '' ? 'Password cannot be empty' : null),
      ...newPasswordRules,
    },
  });

  const submit = form.onSubmit(async ({ currentPassword, newPassword }) => {
    setFailure(null);
    const { error } = await paused(() => change({ currentPassword, newPassword }));
    if (error === undefined) {
      form.reset();
      toast.success('Your password is changed. Other devices have to sign in again.');
      return;
    }
    if (isApiError(error) && error.fieldErrors) form.setErrors(error.fieldErrors);
    setFailure(failureText(error, 'Request failed'));
  });

  return (
    <Card title="Password">
      <form className={`${classes.form} ${classes.narrow}`} onSubmit={submit} noValidate>
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          required
          key={form.key('currentPassword')}
          {...form.getInputProps('currentPassword')}
        />
        <NewPasswordFields form={form} />
        <Failure text={failure} />
        <div className={classes.actions}>
          <Button type="submit" loading={isLoading}>
            Change password
          </Button>
        </div>
      </form>
      <p className={classes.soft}>
        No password yet, or forgotten? <Link to="/changepassword">Set one by email</Link>
      </p>
    </Card>
  );
}
