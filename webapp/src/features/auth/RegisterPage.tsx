import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useDispatch } from 'react-redux';
import { Link } from 'react-router';
import { localRegistration, useRegisterMutation } from '@/api/account';
import { isApiError } from '@/api/base';
import { signedIn } from '@/shared/session/sessionSlice';
import { AuthCard } from './AuthCard';
import classes from './AuthCard.module.css';
import { failureText } from './failure';
import { emailError, nameError, passwordError, usernameError } from './rules';

export default function RegisterPage() {
  const dispatch = useDispatch();
  const [register, { isLoading }] = useRegisterMutation();
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { username: '', firstName: '', lastName: '', email: '', password: '' },
    validate: {
      username: usernameError,
      firstName: nameError,
      lastName: nameError,
      email: emailError,
      password: passwordError,
    },
    validateInputOnBlur: true,
  });

  const submit = form.onSubmit(async (values) => {
    setFailure(null);
    const { data, error } = await register(
      localRegistration({
        ...values,
        email: values.email.trim(),
        firstName: values.firstName.trim(),
        lastName: values.lastName.trim(),
      }),
    );
    if (data?.isLogIn) {
      dispatch(signedIn(data.user));
      return;
    }
    if (isApiError(error) && error.fieldErrors) form.setErrors(error.fieldErrors);
    setFailure(failureText(error, 'Registration failed'));
  });

  return (
    <AuthCard title="Create Account" subtitle="Sign up to get started">
      <form className={classes.form} onSubmit={submit} noValidate>
        <TextInput
          label="Username"
          description="3 to 20 letters, digits, or _ . -"
          autoComplete="username"
          required
          key={form.key('username')}
          {...form.getInputProps('username')}
        />
        <div className={classes.names}>
          <TextInput
            label="First name"
            autoComplete="given-name"
            key={form.key('firstName')}
            {...form.getInputProps('firstName')}
          />
          <TextInput
            label="Last name"
            autoComplete="family-name"
            key={form.key('lastName')}
            {...form.getInputProps('lastName')}
          />
        </div>
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
          description="At least 8 characters, with upper and lower case, a digit and a special character."
          autoComplete="new-password"
          required
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        <p className={classes.small}>
          By signing up you confirm that you are at least 13 years old and, if you are under 18, that a parent or
          guardian consents.
        </p>
        <div role="alert" className={classes.alert}>
          {failure !== null && <p className={classes.failure}>{failure}</p>}
        </div>
        <Button type="submit" loading={isLoading} fullWidth>
          Sign Up
        </Button>
      </form>
      <p className={classes.switch}>
        Already have an account? <Link to="/login">Sign In</Link>
      </p>
    </AuthCard>
  );
}
