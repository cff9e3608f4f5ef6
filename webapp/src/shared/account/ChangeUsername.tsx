import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useChangeUsernameMutation, type User } from '@/api/account';
import { isApiError } from '@/api/base';
import { userChanged } from '../session/sessionSlice';
import { Failure } from '../ui/Failure';
import { toast } from '../ui/toast';
import { failureText } from './failure';
import { usernameError } from './rules';
import classes from './VerifyEmail.module.css';
import { useAppDispatch } from '@/shared/storeHooks';

const RULE =
  'You can change it every 30 days. The old one stays reserved for you for 90 days, and leads to the new one.';

/** Changes the username, by which others find the user. */
export function ChangeUsername({ user }: { user: User }) {
  const dispatch = useAppDispatch();
  const [change, { isLoading }] = useChangeUsernameMutation();
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm({ initialValues: { username: user.username }, validate: { username: usernameError } });
  const until = user.usernameChangeableAt;

  const submit = form.onSubmit(async ({ username }) => {
    setFailure(null);
    const { data, error } = await change({ userId: user.userId, username });
    if (data !== undefined) {
      dispatch(userChanged(data.user));
      form.setValues({ username: data.user.username });
      toast.success('Your username is changed.');
      return;
    }
    if (isApiError(error) && error.fieldErrors) form.setErrors(error.fieldErrors);
    else setFailure(failureText(error, 'Request failed'));
  });

  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <TextInput
        label="Username"
        description={until === undefined ? RULE : `${RULE} You can change it again on ${day(until)}.`}
        autoComplete="username"
        readOnly={until !== undefined}
        {...form.getInputProps('username')}
      />
      <Failure text={failure} />
      {until === undefined && (
        <div className={classes.actions}>
          <Button type="submit" variant="default" disabled={form.values.username === user.username} loading={isLoading}>
            Change username
          </Button>
        </div>
      )}
    </form>
  );
}

function day(date: string): string {
  return new Date(date).toLocaleDateString('en-US', { day: 'numeric', month: 'long', year: 'numeric' });
}
