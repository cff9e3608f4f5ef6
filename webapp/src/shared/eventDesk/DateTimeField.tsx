import '@mantine/dates/styles.layer.css';
import { SegmentedControl } from '@mantine/core';
import { DateTimePicker } from '@mantine/dates';
import { useState } from 'react';
import { timeZone, utcOffset } from '@/shared/events/times';
import classes from './DateTimeField.module.css';
import { instantOf, instantsOf, pickedOf } from './localTime';

const CALENDAR_LABELS = {
  previousMonth: 'Previous month',
  nextMonth: 'Next month',
  previousYear: 'Previous year',
  nextYear: 'Next year',
  previousDecade: 'Previous ten years',
  nextDecade: 'Next ten years',
};

interface DateTimeFieldProps {
  label: string;
  /** An instant in UTC; it is picked in the reader's time zone. */
  value: string | null;
  onChange: (value: string | null) => void;
  /** A stored time can be changed but not cleared. */
  clearable: boolean;
  /** The form's error is about this field. */
  error: boolean;
}

/** A date and a time of day, with their time zone. */
export function DateTimeField({ label, value, onChange, clearable, error }: DateTimeFieldProps) {
  const [picked, setPicked] = useState<string | null>(null);
  const at = value === null ? new Date() : new Date(value);
  const shown = value === null ? null : pickedOf(value);
  const instants = shown === null ? [] : instantsOf(shown);
  const isSkipped = value !== null && picked !== null && instantOf(picked) === value && picked !== shown;
  const pick = (time: string | null) => {
    setPicked(time);
    // A time that comes twice stays the one that was chosen.
    if (time !== shown) onChange(time === null ? null : instantOf(time));
  };
  return (
    <div>
      <DateTimePicker
        label={label}
        description={`Time zone: ${timeZone(at)}`}
        placeholder="Pick date and time"
        defaultTimeValue="12:00"
        valueFormat="ddd, MMM D, YYYY HH:mm"
        value={shown}
        onChange={pick}
        highlightToday
        // Weekends must not look like errors.
        weekendDays={[]}
        clearable={clearable}
        clearButtonProps={{ 'aria-label': `Clear ${label}` }}
        ariaLabels={CALENDAR_LABELS}
        submitButtonProps={{ 'aria-label': 'Use this time' }}
        timePickerProps={{
          hoursInputLabel: `${label}, hours`,
          minutesInputLabel: `${label}, minutes`,
        }}
        popoverProps={{ classNames: { dropdown: classes.dropdown ?? '' } }}
        classNames={{ day: classes.day ?? '', timeInput: classes.time ?? '' }}
        error={error}
      />
      {isSkipped && (
        <p role="status" className={classes.note}>
          The clocks go forward and skip the time that you picked, so it was moved one hour later.
        </p>
      )}
      {instants.length > 1 && value !== null && (
        <SegmentedControl
          aria-label={`${label}: which of the two hours`}
          fullWidth
          value={instants.find((instant) => Date.parse(instant) === Date.parse(value)) ?? ''}
          onChange={onChange}
          data={instants.map((instant, nth) => ({
            value: instant,
            label: `${nth === 0 ? 'First' : 'Second'} time (${utcOffset(new Date(instant))})`,
          }))}
        />
      )}
    </div>
  );
}
