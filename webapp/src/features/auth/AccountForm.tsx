import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import type { Registration } from '@/api/account';
import { isApiError } from '@/api/base';
import { failureText } from '@/shared/account/failure';
import { emailError, nameError, PASSWORD_RULES, passwordError, usernameError } from '@/shared/account/rules';
import { Failure } from '@/shared/ui/Failure';
import classes from './AuthCard.module.css';

interface Props {
  action: string;
  isLoading: boolean;
  /** The error text if the server gives none. */
  otherwise: string;
  /** Returns the error, if any. */
  onSubmit: (registration: Registration) => Promise<unknown>;
}

/** The registration form, for players and the first admin. */
export function AccountForm({ action, isLoading, otherwise, onSubmit }: Props) {
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
    const error = await onSubmit({
      ...values,
      email: values.email.trim(),
      firstName: values.firstName.trim(),
      lastName: values.lastName.trim(),
    });
    if (error === undefined) return;
    if (isApiError(error) && error.fieldErrors) form.setErrors(error.fieldErrors);
    setFailure(failureText(error, otherwise));
  });

  return (
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
        description={PASSWORD_RULES}
        autoComplete="new-password"
        required
        key={form.key('password')}
        {...form.getInputProps('password')}
      />
      <Failure text={failure} />
      <Button type="submit" loading={isLoading} fullWidth>
        {action}
      </Button>
    </form>
  );
}
