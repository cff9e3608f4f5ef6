import { Switch } from '@mantine/core';

interface ToggleProps {
  label: string;
  description?: string;
  isOn: boolean;
  disabled?: boolean;
  onSwitch: (isOn: boolean) => void;
}

/** A switch with its explanation. */
export function Toggle({ label, description, isOn, disabled = false, onSwitch }: ToggleProps) {
  return (
    <Switch
      size="lg"
      label={label}
      aria-label={label}
      description={description}
      checked={isOn}
      disabled={disabled}
      onChange={(event) => onSwitch(event.currentTarget.checked)}
      // The off state must be visible as well.
      styles={isOn ? {} : { track: { background: 'var(--outline)' } }}
    />
  );
}
