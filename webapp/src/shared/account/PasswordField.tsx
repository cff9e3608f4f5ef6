import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { PASSWORD_RULES } from './rules';

/** The password that an account has. */
export function PasswordField(props: PasswordInputProps) {
  return <PasswordInput autoComplete="current-password" required {...props} />;
}

/** A password that is being chosen, with the rules for it. */
export function ChosenPasswordField(props: PasswordInputProps) {
  return <PasswordField description={PASSWORD_RULES} autoComplete="new-password" {...props} />;
}
