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
  /** A time that the server holds can be changed but not taken away. */
  clearable: boolean;
  /** It is the one the form's error is about. */
  error: boolean;
}

/** A day and a time of day, with the time zone they are meant in. */
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
      // A tournament's best days are not shown as warnings.
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
