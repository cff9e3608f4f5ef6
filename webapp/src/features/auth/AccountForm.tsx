import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Registration } from '@/api/account';
import { EmailField } from '@/shared/account/EmailField';
import { ChosenPasswordField } from '@/shared/account/PasswordField';
import { emailError, nameError, passwordError, usernameError } from '@/shared/account/rules';
import { useTypedEarly } from '@/shared/account/useTypedEarly';
import type { Offer } from '@/shared/session/offered';
import { useFormSubmit } from '@/shared/account/useFormSubmit';
import { Failure } from '@/shared/ui/Failure';
import classes from './AuthCard.module.css';

interface Props {
  action: string;
  /** Shown as long as it is not known whether the host offers it (offered.ts). */
  offer?: Offer | undefined;
  isLoading: boolean;
  /** The error text if the server gives none. */
  otherwise: string;
  /** Returns the error, if any. */
  onSubmit: (registration: Registration) => Promise<unknown>;
}

/** The registration form, for players and the first admin. */
export function AccountForm({ action, offer, isLoading, otherwise, onSubmit }: Props) {
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

  const box = useTypedEarly(form);
  const send = (values: Registration) =>
    onSubmit({
      ...values,
      email: values.email.trim(),
      firstName: values.firstName.trim(),
      lastName: values.lastName.trim(),
    });
  const { submit, failure } = useFormSubmit(form, send, { otherwise });

  return (
    <form ref={box} method="post" className={classes.form} data-offer={offer} onSubmit={submit} noValidate>
      <TextInput
        label="Username"
        name="username"
        description="3 to 20 letters, digits, or _ . -"
        autoComplete="username"
        required
        key={form.key('username')}
        {...form.getInputProps('username')}
      />
      <div className={classes.names}>
        <TextInput
          label="First name"
          name="firstName"
          autoComplete="given-name"
          key={form.key('firstName')}
          {...form.getInputProps('firstName')}
        />
        <TextInput
          label="Last name"
          name="lastName"
          autoComplete="family-name"
          key={form.key('lastName')}
          {...form.getInputProps('lastName')}
        />
      </div>
      <EmailField name="email" key={form.key('email')} {...form.getInputProps('email')} />
      <ChosenPasswordField
        label="Password"
        name="password"
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
