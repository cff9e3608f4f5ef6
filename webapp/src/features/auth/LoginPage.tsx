import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { localLogin, useLoginMutation } from '@/api/account';
import { isApiError } from '@/api/base';
import { failureText } from '@/shared/account/failure';
import { emailError } from '@/shared/account/rules';
import { useRealtimePaused } from '@/shared/session/useRealtimePaused';
import { useProviders } from '@/shared/session/useProviders';
import { Failure } from '@/shared/ui/Failure';
import { AuthCard } from './AuthCard';
import classes from './AuthCard.module.css';
import { KeepGuestGames, useGuestGames } from './KeepGuestGames';
import { GuestButton } from './GuestButton';
import { ProviderButton } from './ProviderButton';
import { providerFailure } from './providerFailure';
import { useFinishSignIn } from './useFinishSignIn';

export default function LoginPage() {
  const { providers, isWaiting } = useProviders();
  // A failed sign-in with a provider returns here.
  const [query] = useSearchParams();
  const isLocal = providers?.local ?? true;
  const guestGames = useGuestGames();
  const [isWanted, setWanted] = useState(true);
  const keepGuestGames = guestGames > 0 && isWanted;
  return (
    <AuthCard title="Welcome back" subtitle="Sign in to your account" isWaiting={isWaiting}>
      <Failure text={providerFailure(query.get('error'))} />
      {guestGames > 0 && <KeepGuestGames games={guestGames} isWanted={isWanted} onWant={setWanted} />}
      {providers?.provider && (
        <ProviderButton
          provider={providers.provider}
          purpose="signIn"
          isFirst={isLocal}
          keepGuestGames={keepGuestGames}
        />
      )}
      {isLocal && <LoginForm keepGuestGames={keepGuestGames} />}
      <GuestButton />
      <p className={classes.switch}>
        Don&apos;t have an account? <Link to="/register">Sign up</Link>
      </p>
    </AuthCard>
  );
}

function LoginForm({ keepGuestGames }: { keepGuestGames: boolean }) {
  const entered = useFinishSignIn();
  const paused = useRealtimePaused();
  const [login, { isLoading }] = useLoginMutation();
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: '', password: '' },
    validate: { email: emailError, password: (password) => (password === '' ? 'Password cannot be empty' : null) },
  });

  const submit = form.onSubmit(async ({ email, password }) => {
    setFailure(null);
    const { data, error } = await paused(() =>
      login(localLogin({ email: email.trim(), password, ...(keepGuestGames ? { keepGuestGames } : {}) })),
    );
    if (data?.isLogIn) {
      entered(data.user, 'signIn');
      return;
    }
    if (isApiError(error) && error.fieldErrors) form.setErrors(error.fieldErrors);
    setFailure(failureText(error, 'Login failed'));
  });

  return (
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
      <Failure text={failure} />
      <Button type="submit" loading={isLoading} fullWidth>
        Sign in
      </Button>
      <p className={classes.switch}>
        <Link to="/changepassword">Forgot your password?</Link>
      </p>
    </form>
  );
}
