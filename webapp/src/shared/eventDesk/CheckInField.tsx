import { NumberInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { EventFields } from './eventForm';

/** Minutes, as the server takes them. */
const MOST_MINUTES = 120;

/** Whether players say before the start that they are there: docs/behaviour/events.md#check-in. */
export function CheckInField({ form }: { form: UseFormReturnType<EventFields> }) {
  return (
    <NumberInput
      label="Check-in opens (minutes before the start)"
      placeholder="No check-in"
      description="Players who have not checked in by the start are not paired. Some events still let them join late."
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      min={1}
      max={MOST_MINUTES}
      allowDecimal={false}
      allowNegative={false}
      {...form.getInputProps('checkInMinutes')}
      error={form.errors.checkInMinutes !== undefined}
    />
  );
}
