import { TextInput } from '@mantine/core';

interface ReasonFieldProps {
  value: string;
  onChange: (value: string) => void;
  /** It has the focus when its dialog opens. */
  hasFocus?: boolean;
}

/** Why an admin changes something: it stands in the receipt. */
export function ReasonField({ value, onChange, hasFocus = false }: ReasonFieldProps) {
  return (
    <TextInput
      label="Reason"
      withAsterisk
      maxLength={280}
      value={value}
      onChange={(change) => onChange(change.currentTarget.value)}
      {...(hasFocus ? { 'data-autofocus': true } : {})}
    />
  );
}
