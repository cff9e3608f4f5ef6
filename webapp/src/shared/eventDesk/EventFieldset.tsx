import { Button, Checkbox, SegmentedControl, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useId } from 'react';
import { type EventType, useHostingQuery } from '@/api/events';
import { counted } from '@/shared/counted';
import { ifKnown } from '@/shared/ui/Loaded';
import { CheckInField } from './CheckInField';
import { DateTimeField } from './DateTimeField';
import { useDeskOf } from './deskOf';
import classes from './EventFieldset.module.css';
import { DURATIONS, durationText, endAfter, type EventFields, lengthText, movedStart } from './eventForm';
import { EntryFields } from './EntryFields';
import { FormatFields } from './FormatFields';
import { MaxPlayers } from './MaxPlayers';
import { RoundTimes } from './RoundTimes';

interface EventFieldsetProps {
  form: UseFormReturnType<EventFields>;
  /** The stored values: a stored time cannot be cleared. */
  stored: Pick<EventFields, 'startTime' | 'endTime'>;
  /** Of events that are made later: without times. */
  isTemplate?: boolean;
}

/** The fields of an event, for the forms that create and edit one; members who host one have fewer. */
export function EventFieldset({ form, stored, isTemplate = false }: EventFieldsetProps) {
  const { isHost } = useDeskOf();
  return (
    <div className={classes.fields}>
      <WhatFields form={form} />
      {!isHost && <TextInput label="Prize" maxLength={200} {...inputOf(form, 'prize')} />}
      {!isTemplate && <WhenFields form={form} stored={stored} />}
      <HowFields form={form} isTemplate={isTemplate} />
      {!isHost && <Admission form={form} />}
      {!isHost && <OneNetwork form={form} />}
    </div>
  );
}

type FormProps = Pick<EventFieldsetProps, 'form'>;

/** The message is in the form's error box; the field is only marked. */
const isWrong = ({ form }: FormProps, field: keyof EventFields) => form.errors[field] !== undefined;
const inputOf = (form: FormProps['form'], field: keyof EventFields) => {
  return { ...form.getInputProps(field), error: isWrong({ form }, field) };
};

/** What the event is. */
export function WhatFields({ form }: FormProps) {
  return (
    <>
      <TextInput label="Title" withAsterisk maxLength={120} data-autofocus {...inputOf(form, 'title')} />
      <Textarea
        label="Description"
        autosize
        minRows={3}
        maxRows={10}
        maxLength={4000}
        {...inputOf(form, 'description')}
      />
    </>
  );
}

interface WhenFieldsProps extends EventFieldsetProps {
  /** The end moves with the start. */
  keepsLength?: boolean;
}

/** When the event starts and ends. */
export function WhenFields({ form, stored, keepsLength = false }: WhenFieldsProps) {
  const { startTime, endTime } = form.values;
  return (
    <>
      <div className={classes.pair}>
        <DateTimeField
          label="Start time"
          value={startTime}
          onChange={(value) => {
            if (keepsLength) form.setValues(movedStart(form.values, value));
            else form.setFieldValue('startTime', value);
          }}
          clearable={stored.startTime === null}
          error={isWrong({ form }, 'startTime')}
        />
        <DateTimeField
          label="End time"
          value={endTime}
          onChange={(value) => form.setFieldValue('endTime', value)}
          clearable={stored.endTime === null}
          error={isWrong({ form }, 'endTime')}
        />
      </div>
      <TimeLimits />
      <div className={classes.durations} role="group" aria-label="Set how long after the start it ends">
        <span>{startTime === null ? 'Ends after (pick a start first)' : 'Ends after'}</span>
        {DURATIONS.map((minutes) => (
          <Button
            key={minutes}
            variant="default"
            size="compact-md"
            disabled={startTime === null}
            onClick={() => form.setFieldValue('endTime', endAfter(startTime ?? '', minutes))}
          >
            {durationText(minutes)}
          </Button>
        ))}
      </div>
    </>
  );
}

/** What a member's event is limited to. */
function TimeLimits() {
  const { isHost } = useDeskOf();
  const hosting = ifKnown(useHostingQuery(undefined, { skip: !isHost }));
  if (!isHost || hosting === undefined) return null;
  const { aheadDays, lengthMinutes } = hosting;
  return (
    <p className={classes.hint}>
      {`It can start up to ${counted(aheadDays, 'day')} from now, and last up to ${lengthText(lengthMinutes)}.`}
    </p>
  );
}

/** How the event is played, by how many, and by whom. */
export function HowFields({ form, isTemplate = false }: FormProps & Pick<EventFieldsetProps, 'isTemplate'>) {
  return (
    <>
      <FormatFields form={form} />
      {!isTemplate && form.values.format !== 'arena' && <RoundTimes form={form} />}
      <MaxPlayers form={form} />
      <CheckInField form={form} />
      <EntryFields form={form} />
    </>
  );
}

function Admission({ form }: FormProps) {
  const typeLabel = useId();
  return (
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
  );
}

/** Who may still come once it is live; tables and brackets are fixed at the start. */
function admissionText({ eventType, format }: EventFields): string {
  if (eventType === 'closed') return 'Only who registered before the start may join.';
  if (format === 'knockout' || format === 'roundRobin') return 'Anybody may register until it starts.';
  return format === 'swiss' ? 'Anybody may join until its last round is paired.' : 'Anybody may join while it is live.';
}

/** The organiser's word that players on one network are different people. */
function OneNetwork({ form }: FormProps) {
  return (
    <Checkbox
      label="Rate games between players on one network"
      description="You confirm that they are different people, as in a hall, a school or an office. A receipt records your confirmation."
      {...form.getInputProps('ratedOnOneNetwork', { type: 'checkbox' })}
    />
  );
}
