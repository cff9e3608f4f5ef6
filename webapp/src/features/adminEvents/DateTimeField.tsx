import '@mantine/dates/styles.layer.css';
import { DateTimePicker } from '@mantine/dates';
import dayjs from 'dayjs';
import { timeZone } from '@/shared/events/times';
import classes from './DateTimeField.module.css';

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
  /** `YYYY-MM-DD HH:mm:ss` in the reader's time zone. */
  value: string | null;
  onChange: (value: string | null) => void;
  /** A stored time can be changed but not cleared. */
  clearable: boolean;
  /** The form's error is about this field. */
  error: boolean;
}

/** A date and a time of day, with their time zone. */
export function DateTimeField({ label, value, onChange, clearable, error }: DateTimeFieldProps) {
  const at = value === null ? new Date() : dayjs(value).toDate();
  return (
    <DateTimePicker
      label={label}
      description={`Time zone: ${timeZone(at)}`}
      placeholder="Pick date and time"
      defaultTimeValue="12:00"
      valueFormat="ddd, MMM D, YYYY HH:mm"
      value={value}
      onChange={onChange}
      highlightToday
      // Weekends must not look like errors.
      weekendDays={[]}
      clearable={clearable}
      clearButtonProps={{ 'aria-label': `Clear ${label}` }}
      ariaLabels={CALENDAR_LABELS}
      submitButtonProps={{ 'aria-label': 'Take this time' }}
      timePickerProps={{
        hoursInputLabel: `${label}, hours`,
        minutesInputLabel: `${label}, minutes`,
      }}
      popoverProps={{ classNames: { dropdown: classes.dropdown ?? '' } }}
      classNames={{ day: classes.day ?? '', timeInput: classes.time ?? '' }}
      error={error}
    />
  );
}
