import { Button, NativeSelect, NumberInput, Textarea, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { useState } from 'react';
import { EventFieldset } from '@/shared/eventDesk/EventFieldset';
import { draftErrors, type EventFields } from '@/shared/eventDesk/eventForm';
import form from '@/shared/eventDesk/EventForm.module.css';
import { fieldErrorsOf, formFailure, inWords } from '@/shared/eventDesk/formFailure';
import { type Cadence, cadenceText, timeZones } from '@/shared/series/schedule';
import { Card } from '@/shared/ui/Card';
import { Failure } from '@/shared/ui/Failure';
import classes from './SeriesForm.module.css';
import { meantRule, type SeriesFields, seriesErrors } from './seriesForm';
import { SeriesPreview } from './SeriesPreview';

type Series = UseFormReturnType<SeriesFields>;

interface SeriesFormProps {
  series: SeriesFields;
  template: EventFields;
  submit: string;
  /** Beside the button that sends the form. */
  note?: string;
  isBusy: boolean;
  /** Why it failed, if it did. */
  onSubmit: (series: SeriesFields, template: EventFields) => Promise<unknown>;
}

const CADENCES = ['weekly', 'fortnightly', 'monthly', 'daily'] as const;

/** What a series is, when its events are, and what they are made from. */
export function SeriesForm({
  series: stored,
  template: storedTemplate,
  submit,
  note,
  isBusy,
  onSubmit,
}: SeriesFormProps) {
  const series = useForm<SeriesFields>({ initialValues: stored, validate: seriesErrors });
  const template = useForm<EventFields>({ initialValues: storedTemplate, validate: draftErrors });
  const [failure, setFailure] = useState<string | null>(null);

  const send = async () => {
    const errors = { ...series.validate().errors, ...template.validate().errors };
    setFailure(inWords(errors));
    if (Object.keys(errors).length > 0) return;
    const error = await onSubmit(series.values, template.values);
    if (error === undefined) return;
    series.setErrors(fieldErrorsOf(error));
    template.setErrors(fieldErrorsOf(error));
    setFailure(formFailure(error, 'The series could not be saved. Please try again.'));
  };

  return (
    <form
      noValidate
      className={form.form}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <Card title="The series">
        <div className={classes.fields}>
          <TextInput label="Name" withAsterisk maxLength={120} {...inputOf(series, 'name')} />
          <Textarea
            label="About the series"
            autosize
            minRows={2}
            maxRows={10}
            maxLength={4000}
            {...inputOf(series, 'description')}
          />
          <TextInput
            label="Points for the places of an event"
            description="From the first place on. Everybody else gets none."
            {...inputOf(series, 'points')}
          />
        </div>
      </Card>
      <Card title="When">
        <WhenFields series={series} />
      </Card>
      <Card title="Its events">
        <EventFieldset form={template} stored={storedTemplate} isTemplate />
      </Card>
      <Failure text={failure} />
      {note !== undefined && <p className={classes.note}>{note}</p>}
      <div>
        <Button type="submit" loading={isBusy}>
          {submit}
        </Button>
      </div>
    </form>
  );
}

/** The message is in the form's error box; the field is only marked. */
const inputOf = (series: Series, field: keyof SeriesFields) => ({
  ...series.getInputProps(field),
  error: series.errors[field] !== undefined,
});

function WhenFields({ series }: { series: Series }) {
  const { firstStart, timeZone, cadence } = series.values;
  const choices = CADENCES.map((value) => ({ value, label: cadenceText(value, firstStart) }));
  return (
    <div className={classes.fields}>
      <div className={classes.pair}>
        <TextInput type="datetime-local" label="First start" withAsterisk {...inputOf(series, 'firstStart')} />
        <NativeSelect label="Time zone" data={timeZones(timeZone)} {...inputOf(series, 'timeZone')} />
      </div>
      <NativeSelect
        label="How often"
        data={[...choices, { value: 'own', label: 'By a rule of my own' }]}
        value={cadence}
        onChange={(event) => {
          const next = event.currentTarget.value as Cadence;
          // The rule that was meant is a good beginning of one's own.
          series.setValues({ cadence: next, rule: meantRule(series.values) });
        }}
      />
      {cadence === 'own' && (
        <TextInput
          label="Rule"
          description="An RRULE of iCalendar, such as FREQ=WEEKLY;BYDAY=TU,TH or FREQ=MONTHLY;BYDAY=-1SA;UNTIL=20271231"
          maxLength={200}
          spellCheck={false}
          {...inputOf(series, 'rule')}
        />
      )}
      <SeriesPreview firstStart={firstStart} timeZone={timeZone} rule={meantRule(series.values)} />
      <div className={classes.pair}>
        <NumberInput
          label="Length of an event (minutes)"
          min={1}
          max={10_080}
          allowDecimal={false}
          {...inputOf(series, 'durationMinutes')}
        />
        <NumberInput
          label="Create events this many days ahead"
          min={1}
          max={90}
          allowDecimal={false}
          {...inputOf(series, 'daysAhead')}
        />
      </div>
    </div>
  );
}
