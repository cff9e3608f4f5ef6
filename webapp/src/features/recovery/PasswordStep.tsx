import { Button, PasswordInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useUpdatePasswordMutation } from '@/api/account';
import { isApiError } from '@/api/base';
import { failureText } from '@/shared/account/failure';
import { passwordError, retypedError } from '@/shared/account/rules';
import { Failure } from '@/shared/ui/Failure';
import classes from './RecoveryPage.module.css';

interface PasswordStepProps {
  email: string;
  onChanged: () => void;
}

export function PasswordStep({ email, onChanged }: PasswordStepProps) {
  const [update, { isLoading }] = useUpdatePasswordMutation();
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { newPassword: '', retyped: '' },
    validate: {
      newPassword: passwordError,
      retyped: (retyped, { newPassword }) => retypedError(retyped, newPassword),
    },
  });

  const submit = form.onSubmit(async ({ newPassword }) => {
    setFailure(null);
    const { error } = await update({ updatePassword: { email, newPassword } });
    if (error === undefined) {
      onChanged();
      return;
    }
    if (isApiError(error) && error.fieldErrors) form.setErrors(error.fieldErrors);
    setFailure(failureText(error, 'Request failed'));
  });

  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      {/* For password keepers: whose password it is. */}
      <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordInput
        label="New password"
        description="At least 8 characters, with upper and lower case, a digit and a special character."
        autoComplete="new-password"
        required
        key={form.key('newPassword')}
        {...form.getInputProps('newPassword')}
      />
      <PasswordInput
        label="Retype the new password"
        autoComplete="new-password"
        required
        key={form.key('retyped')}
        {...form.getInputProps('retyped')}
      />
      <Failure text={failure} />
      <Button type="submit" loading={isLoading} fullWidth>
        Set password
      </Button>
    </form>
  );
}
