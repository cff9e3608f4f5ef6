import { NumberInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useHostingQuery } from '@/api/events';
import { ifKnown } from '@/shared/ui/Loaded';
import { useDeskOf } from './deskOf';
import { type EventFields, mostPlayers } from './eventForm';

/** How many may sign up. */
export function MaxPlayers({ form }: { form: UseFormReturnType<EventFields> }) {
  const { isHost } = useDeskOf();
  const hosting = ifKnown(useHostingQuery(undefined, { skip: !isHost }));
  const { format, maxPlayers } = form.values;
  const most = mostPlayers(format, hosting?.maxPlayers);
  return (
    <NumberInput
      label="Maximum players"
      placeholder={most === undefined ? 'As many as come' : String(most)}
      {...(most === undefined ? {} : { description: `Up to ${most}.`, max: most })}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      min={2}
      allowDecimal={false}
      allowNegative={false}
      {...form.getInputProps('maxPlayers')}
      onBlur={() => {
        // An event of a member has a limit in any case.
        if (isHost && most !== undefined && maxPlayers === '') form.setFieldValue('maxPlayers', most);
      }}
      error={form.errors.maxPlayers !== undefined}
    />
  );
}
