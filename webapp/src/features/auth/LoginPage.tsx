import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useDispatch } from 'react-redux';
import { Link } from 'react-router';
import { localLogin, useLoginMutation } from '@/api/account';
import { isApiError } from '@/api/base';
import { signedIn } from '@/shared/session/sessionSlice';
import { AuthCard } from './AuthCard';
import classes from './AuthCard.module.css';
import { failureText } from './failure';
import { GuestEntry } from './GuestEntry';
import { emailError } from './rules';

export default function LoginPage() {
  const dispatch = useDispatch();
  const [login, { isLoading }] = useLoginMutation();
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: '', password: '' },
    validate: { email: emailError, password: (password) => (password === '' ? 'Password cannot be empty' : null) },
  });

  const submit = form.onSubmit(async ({ email, password }) => {
    setFailure(null);
    const { data, error } = await login(localLogin({ email: email.trim(), password }));
    if (data?.isLogIn) {
      dispatch(signedIn(data.user));
      return;
    }
    if (isApiError(error) && error.fieldErrors) form.setErrors(error.fieldErrors);
    setFailure(failureText(error, 'Login failed'));
  });

  return (
    <AuthCard title="Welcome back" subtitle="Sign in to your account">
      <form className={classes.form} onSubmit={submit} noValidate>
        <TextInput
          label="Email"
          type="email"
          autoComplete="email"
          required
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          required
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        <div role="alert" className={classes.alert}>
          {failure !== null && <p className={classes.failure}>{failure}</p>}
        </div>
        <Button type="submit" loading={isLoading} fullWidth>
          Sign in
        </Button>
      </form>
      <GuestEntry />
      <p className={classes.switch}>
        Don&apos;t have an account? <Link to="/register">Sign up</Link>
      </p>
    </AuthCard>
  );
}
