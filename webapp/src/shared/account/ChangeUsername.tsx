import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useChangeUsernameMutation, type User } from '@/api/account';
import { userChanged } from '../session/sessionSlice';
import { Failure } from '../ui/Failure';
import { toast } from '../ui/toast';
import { usernameError } from './rules';
import { useFormSubmit } from './useFormSubmit';
import classes from './VerifyEmail.module.css';
import { useAppDispatch } from '@/shared/storeHooks';

const RULE =
  'You can change it every 30 days. The old one stays reserved for you for 90 days, and leads to the new one.';

/** Changes the username, by which others find the user. */
export function ChangeUsername({ user }: { user: User }) {
  const dispatch = useAppDispatch();
  const [change, { isLoading }] = useChangeUsernameMutation();
  const form = useForm({ initialValues: { username: user.username }, validate: { username: usernameError } });
  const until = user.usernameChangeableAt;

  const send = async ({ username }: { username: string }) => {
    const { data, error } = await change({ userId: user.userId, username });
    if (data === undefined) return error;
    dispatch(userChanged(data.user));
    form.setValues({ username: data.user.username });
    toast.success('Your username is changed.');
    return undefined;
  };
  const { submit, failure } = useFormSubmit(form, send, { fieldErrors: 'instead' });

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
