import { NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import dayjs from 'dayjs';
import { useState } from 'react';
import { useSuspendUserMutation } from '@/api/admin';
import { useFormSubmit } from '../account/useFormSubmit';
import { nameOf } from '../people/personSummary';
import { toast } from '../ui/toast';
import { ReasonForm, reasonError } from './ReasonForm';
import { type Subject, suspensionText } from './subject';

const DAY_MS = 24 * 60 * 60 * 1_000;

const LENGTHS = [
  { value: '1', label: '1 day' },
  { value: '7', label: '1 week' },
  { value: '30', label: '30 days' },
  { value: 'date', label: 'Until a date' },
  { value: 'ever', label: 'Indefinitely' },
];

/** Suspends a person, also one who is suspended already. */
export function SuspendForm({ subject, onDone }: { subject: Subject; onDone: () => void }) {
  const { userId } = subject;
  const name = nameOf(subject);
  const [suspend, { isLoading }] = useSuspendUserMutation();
  const [today] = useState(() => dayjs().format('YYYY-MM-DD'));
  const form = useForm({
    initialValues: { length: '7', until: '', reason: '' },
    validate: {
      until: (until, { length }) =>
        length === 'date' && Number.isNaN(endOfDay(until).getTime()) ? 'Please choose a date.' : null,
      reason: reasonError,
    },
  });
  const send = async ({ length, until, reason }: typeof form.values) => {
    const end = endOf(length, until);
    const { data, error } = await suspend({
      userId,
      ...(end === undefined ? {} : { until: end }),
      reason: reason.trim(),
    });
    if (data === undefined) return error;
    const { suspension } = data.user;
    toast.success(suspension === undefined ? `${name} is suspended.` : `${name}: ${suspensionText(suspension)}.`);
    onDone();
    return undefined;
  };
  const { submit, failure } = useFormSubmit(form, send, { fieldErrors: 'beside' });
  return (
    <ReasonForm
      form={form}
      onSubmit={submit}
      failure={failure}
      effect={`${name} is signed out everywhere and cannot sign in until the suspension ends. Games under way are forfeited, sign-ups for events are withdrawn, and admin rights are removed.`}
      readers="Shown when they try to sign in, sent to them by email, and kept in the audit trail."
      confirm="Suspend"
      isDanger
      isBusy={isLoading}
      onCancel={onDone}
    >
      <NativeSelect label="How long" data={LENGTHS} {...form.getInputProps('length')} />
      {form.values.length === 'date' && (
        <TextInput type="date" label="Last day" min={today} required {...form.getInputProps('until')} />
      )}
    </ReasonForm>
  );
}

/** In the admin's time zone. */
const endOfDay = (day: string) => new Date(`${day}T23:59:59`);

/** Undefined for ever. */
function endOf(length: string, lastDay: string): string | undefined {
  if (length === 'ever') return undefined;
  if (length === 'date') return endOfDay(lastDay).toISOString();
  return new Date(Date.now() + Number(length) * DAY_MS).toISOString();
}
