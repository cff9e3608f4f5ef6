import { TextInput, type TextInputProps } from '@mantine/core';
import { CODE_LENGTH } from './rules';

/** The six-digit code from an email; phones can fill it in. */
export function CodeInput(props: TextInputProps) {
  return (
    <TextInput
      label="Verification code"
      inputMode="numeric"
      autoComplete="one-time-code"
      placeholder="000000"
      maxLength={CODE_LENGTH}
      required
      {...props}
    />
  );
}
