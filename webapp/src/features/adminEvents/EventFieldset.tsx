import { Button, Checkbox, SegmentedControl, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useId } from 'react';
import type { EventType } from '@/api/events';
import { DateTimeField } from './DateTimeField';
import classes from './EventFieldset.module.css';
import { DURATIONS, durationText, endAfter, type EventFields } from './eventForm';
import { FormatFields } from './FormatFields';

interface EventFieldsetProps {
  form: UseFormReturnType<EventFields>;
  /** The stored values: a stored time cannot be cleared. */
  stored: Pick<EventFields, 'startTime' | 'endTime'>;
}

/** The fields of an event, for the forms that create and edit one. */
export function EventFieldset({ form, stored }: EventFieldsetProps) {
  const typeLabel = useId();
  // The message is in the form's error box; the field is only marked.
  const isWrong = (field: keyof EventFields) => form.errors[field] !== undefined;
  const input = (field: keyof EventFields) => ({ ...form.getInputProps(field), error: isWrong(field) });
  return (
    <div className={classes.fields}>
      <TextInput label="Title" withAsterisk maxLength={120} data-autofocus {...input('title')} />
      <Textarea label="Description" autosize minRows={3} maxRows={10} maxLength={4000} {...input('description')} />
      <TextInput label="Prize" maxLength={200} {...input('prize')} />
      <div className={classes.pair}>
        <DateTimeField
          label="Start time"
          value={form.values.startTime}
          onChange={(value) => form.setFieldValue('startTime', value)}
          clearable={stored.startTime === null}
          error={isWrong('startTime')}
        />
        <DateTimeField
          label="End time"
          value={form.values.endTime}
          onChange={(value) => form.setFieldValue('endTime', value)}
          clearable={stored.endTime === null}
          error={isWrong('endTime')}
        />
      </div>
      <div className={classes.durations} role="group" aria-label="Set how long after the start it ends">
        <span>{form.values.startTime === null ? 'Ends after (pick a start first)' : 'Ends after'}</span>
        {DURATIONS.map((minutes) => (
          <Button
            key={minutes}
            variant="default"
            size="compact-md"
            disabled={form.values.startTime === null}
            onClick={() => form.setFieldValue('endTime', endAfter(form.values.startTime ?? '', minutes))}
          >
            {durationText(minutes)}
          </Button>
        ))}
      </div>
      <FormatFields form={form} />
      <div>
        <span id={typeLabel} className={classes.label}>
          Event type
        </span>
        <SegmentedControl
          aria-labelledby={typeLabel}
          fullWidth
          value={form.values.eventType}
          onChange={(value) => form.setFieldValue('eventType', value as EventType)}
          data={[
            { value: 'open', label: 'Open' },
            { value: 'closed', label: 'Closed' },
          ]}
        />
        <p className={classes.hint}>{admissionText(form.values)}</p>
      </div>
      <OneNetwork form={form} />
    </div>
  );
}

/** Who may still come once it is live; tables and brackets are fixed at the start. */
function admissionText({ eventType, format }: EventFields): string {
  if (eventType === 'closed') return 'Only who registered before the start may join.';
  if (format === 'knockout' || format === 'roundRobin') return 'Anybody may register until it starts.';
  return format === 'swiss' ? 'Anybody may join until its last round is paired.' : 'Anybody may join while it is live.';
}

/** The organiser's word that players on one network are different people. */
function OneNetwork({ form }: Pick<EventFieldsetProps, 'form'>) {
  return (
    <Checkbox
      label="Rate games between players on one network"
      description="You confirm that they are different people, as in a hall, a school or an office. A receipt records that you did."
      {...form.getInputProps('ratedOnOneNetwork', { type: 'checkbox' })}
    />
  );
}
