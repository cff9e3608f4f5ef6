import { Checkbox, NumberInput, Textarea } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useState } from 'react';
import classes from './EventFieldset.module.css';
import { type EventFields, hasConditions, namesIn } from './eventForm';

/** Names on a list, as the server takes them. */
const MOST_NAMES = 1_000;

interface EntryFieldsProps {
  form: UseFormReturnType<EventFields>;
}

/** What is asked of those who enter the event: docs/behaviour/events.md#conditions-of-entry. Mostly nothing, so it is folded. */
export function EntryFields({ form }: EntryFieldsProps) {
  const isWrong = FIELDS.some((field) => form.errors[field] !== undefined);
  const [isOpen, setOpen] = useState(() => hasConditions(form.values));
  const { allowList } = form.values;
  const names = namesIn(allowList).length;
  return (
    <details
      className={classes.entry}
      open={isOpen || isWrong}
      onToggle={(toggled) => setOpen(toggled.currentTarget.open)}
    >
      <summary>Who can enter</summary>
      <div className={classes.fields}>
        <p className={classes.hint}>
          Leave blank what does not matter. Whoever is already in stays in, whatever you change.
        </p>
        <div className={classes.pair}>
          <Figure form={form} field="minRating" label="Minimum rating" min={100} max={4_000} />
          <Figure form={form} field="maxRating" label="Maximum rating" min={100} max={4_000} />
          <Figure form={form} field="minGames" label="Minimum finished games" min={1} max={100_000} />
          <Figure form={form} field="accountAgeDays" label="Minimum days since sign-up" min={1} max={3_650} />
        </div>
        <Textarea
          label="Only these players"
          description={`${names === 0 ? 'Usernames' : `${names} of ${MOST_NAMES} usernames`}, one on each line. Nobody else sees the list.`}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          autosize
          minRows={2}
          maxRows={10}
          {...form.getInputProps('allowList')}
          error={form.errors.allowList !== undefined}
        />
        <BotsAllowed form={form} />
      </div>
    </details>
  );
}

/** Whether bots may enter. */
export function BotsAllowed({ form }: EntryFieldsProps) {
  return (
    <Checkbox
      label="Bots may enter"
      description="Accounts played by programs. Their games with people are not rated."
      {...form.getInputProps('botsAllowed', { type: 'checkbox' })}
    />
  );
}

const FIELDS = ['minRating', 'maxRating', 'minGames', 'accountAgeDays', 'allowList'] as const;

interface FigureProps extends EntryFieldsProps {
  field: (typeof FIELDS)[0 | 1 | 2 | 3];
  label: string;
  min: number;
  max: number;
}

function Figure({ form, field, ...input }: FigureProps) {
  return (
    <NumberInput
      {...input}
      placeholder="Any"
      allowDecimal={false}
      allowNegative={false}
      {...form.getInputProps(field)}
      error={form.errors[field] !== undefined}
    />
  );
}
