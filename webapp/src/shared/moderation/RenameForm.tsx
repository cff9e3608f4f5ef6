import { SegmentedControl, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useRenameUserMutation } from '@/api/admin';
import { usernameError } from '../account/rules';
import { useFormSubmit } from '../account/useFormSubmit';
import { nameOf } from '../people/personSummary';
import { toast } from '../ui/toast';
import { ReasonForm, reasonError } from './ReasonForm';
import type { Subject } from './subject';

/** Gives a person neutral names, or others. */
export function RenameForm({ subject, onDone }: { subject: Subject; onDone: () => void }) {
  const { userId, username: before, displayName: shownBefore = '' } = subject;
  const [rename, { isLoading }] = useRenameUserMutation();
  const form = useForm({
    initialValues: { choice: 'neutral', username: before, displayName: shownBefore, reason: '' },
    validate: {
      username: (username, { choice, displayName }) => {
        if (choice === 'neutral') return null;
        if (username === before && displayName.trim() === shownBefore) return 'Please change a name.';
        return usernameError(username);
      },
      reason: reasonError,
    },
  });
  const send = async ({ choice, username, displayName, reason }: typeof form.values) => {
    const names = {
      ...(username === before ? {} : { username }),
      ...(displayName.trim() === shownBefore ? {} : { displayName: displayName.trim() }),
    };
    const { data, error } = await rename({ userId, ...(choice === 'neutral' ? {} : names), reason: reason.trim() });
    if (data === undefined) return error;
    toast.success(`${nameOf(subject)} is now ${nameOf(data.user)} (${data.user.username}).`);
    onDone();
    return undefined;
  };
  const { submit, failure } = useFormSubmit(form, send, { fieldErrors: 'beside' });
  return (
    <ReasonForm
      form={form}
      onSubmit={submit}
      failure={failure}
      effect="The new names are shown everywhere at once. Their old username becomes available to anybody."
      readers="Sent to them by email with the new names, and kept in the audit trail."
      confirm="Rename"
      isBusy={isLoading}
      onCancel={onDone}
    >
      <SegmentedControl
        aria-label="Names"
        data={[
          { value: 'neutral', label: 'Neutral names' },
          { value: 'own', label: 'Names I choose' },
        ]}
        {...form.getInputProps('choice')}
      />
      {form.values.choice === 'own' && (
        <>
          <TextInput label="Username" autoComplete="off" spellCheck={false} {...form.getInputProps('username')} />
          <TextInput label="Display name" autoComplete="off" {...form.getInputProps('displayName')} />
        </>
      )}
    </ReasonForm>
  );
}
