import { TextInput } from '@mantine/core';

interface UsernameInputProps {
  label: string;
  value: string;
  onChange: (text: string) => void;
}

/** A field for somebody's username, as `usernameIn` reads it. */
export function UsernameInput({ label, value, onChange }: UsernameInputProps) {
  return (
    <TextInput
      label={label}
      placeholder="Username"
      autoCapitalize="none"
      autoComplete="off"
      spellCheck={false}
      value={value}
      onChange={(change) => onChange(change.currentTarget.value)}
    />
  );
}
