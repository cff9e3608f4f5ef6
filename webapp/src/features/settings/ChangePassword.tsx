import { Button } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Link } from 'react-router';
import { useChangePasswordMutation } from '@/api/account';
import { NewPasswordFields, newPasswordRules } from '@/shared/account/NewPasswordFields';
import { PasswordField } from '@/shared/account/PasswordField';
import { ownPasswordError } from '@/shared/account/rules';
import { useFormSubmit } from '@/shared/account/useFormSubmit';
import { useRealtimePaused } from '@/shared/session/useRealtimePaused';
import { Card } from '@/shared/ui/Card';
import { Failure } from '@/shared/ui/Failure';
import { toast } from '@/shared/ui/toast';
import classes from './Settings.module.css';

export function ChangePassword() {
  const paused = useRealtimePaused();
  const [change, { isLoading }] = useChangePasswordMutation();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { currentPassword: '', newPassword: '', retyped: '' },
    validate: { currentPassword: ownPasswordError, ...newPasswordRules },
  });
  const { submit, failure } = useFormSubmit(form, async ({ currentPassword, newPassword }) => {
    const { error } = await paused(() => change({ currentPassword, newPassword }));
    if (error !== undefined) return error;
    form.reset();
    toast.success('Your password is changed. Other devices have to sign in again.');
    return undefined;
  });

  return (
    <Card title="Password">
      <form className={`${classes.form} ${classes.narrow}`} onSubmit={submit} noValidate>
        <PasswordField
          label="Current password"
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
