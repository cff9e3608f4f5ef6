import { NumberInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { EventFields } from './eventForm';

/** Minutes, as the server takes them. */
const MOST_MINUTES = 120;

/** Whether players say before the start that they are there: docs/behaviour/events.md#check-in. */
export function CheckInField({ form }: { form: UseFormReturnType<EventFields> }) {
  return (
    <NumberInput
      label="Check-in, minutes before the start"
      placeholder="Nobody checks in"
      description="Players press ‘I am here’ in these minutes; who has not is not paired, and can at best come late."
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
