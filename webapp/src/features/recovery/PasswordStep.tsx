import { Button } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useUpdatePasswordMutation } from '@/api/account';
import { isApiError } from '@/api/base';
import { failureText } from '@/shared/account/failure';
import { NewPasswordFields, newPasswordRules } from '@/shared/account/NewPasswordFields';
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
    validate: newPasswordRules,
  });

  const submit = form.onSubmit(async ({ newPassword }) => {
    setFailure(null);
    const { error } = await update({ email, newPassword });
    if (error === undefined) {
      onChanged();
      return;
    }
    if (isApiError(error) && error.fieldErrors) form.setErrors(error.fieldErrors);
    setFailure(failureText(error, 'Request failed'));
  });

  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      {/* Tells password managers whose password it is. */}
      <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />
      <NewPasswordFields form={form} />
      <Failure text={failure} />
      <Button type="submit" loading={isLoading} fullWidth>
        Set password
      </Button>
    </form>
  );
}
