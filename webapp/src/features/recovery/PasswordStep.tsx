import { Button } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useUpdatePasswordMutation } from '@/api/account';
import { NewPasswordFields, newPasswordRules } from '@/shared/account/NewPasswordFields';
import { useFormSubmit } from '@/shared/account/useFormSubmit';
import { Failure } from '@/shared/ui/Failure';
import classes from './RecoveryPage.module.css';

interface PasswordStepProps {
  email: string;
  onChanged: () => void;
}

export function PasswordStep({ email, onChanged }: PasswordStepProps) {
  const [update, { isLoading }] = useUpdatePasswordMutation();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { newPassword: '', retyped: '' },
    validate: newPasswordRules,
  });
  const { submit, failure } = useFormSubmit(form, async ({ newPassword }) => {
    const { error } = await update({ email, newPassword });
    if (error === undefined) onChanged();
    return error;
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
