import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDeleteUserMutation } from '@/api/admin';
import { useFormSubmit } from '../account/useFormSubmit';
import { nameOf } from '../people/personSummary';
import { toast } from '../ui/toast';
import { ReasonForm, reasonError } from './ReasonForm';
import type { Subject } from './subject';

/** Deletes an account, after its username was typed. */
export function DeleteForm({ subject, onDone }: { subject: Subject; onDone: () => void }) {
  const { userId, username } = subject;
  const name = nameOf(subject);
  const [remove, { isLoading }] = useDeleteUserMutation();
  const form = useForm({
    initialValues: { typed: '', reason: '' },
    validate: {
      typed: (typed) => (typed.trim() === username ? null : `Type ${username} to confirm.`),
      reason: reasonError,
    },
  });
  const send = async ({ reason }: typeof form.values) => {
    const { error } = await remove({ userId, reason: reason.trim() });
    if (error !== undefined) return error;
    toast.success(`The account of ${name} is deleted.`);
    onDone();
    return undefined;
  };
  const { submit, failure } = useFormSubmit(form, send, { fieldErrors: 'instead' });
  return (
    <ReasonForm
      form={form}
      onSubmit={submit}
      failure={failure}
      effect={`This cannot be undone. The profile, the picture and the sessions of ${name} go, games under way are forfeited, and a plan is not renewed. Past results stay, under ‘Deleted player’.`}
      readers="Sent to them by email, and kept in the audit trail."
      confirm="Delete account"
      isDanger
      isBusy={isLoading}
      onCancel={onDone}
    >
      <TextInput
        label={`Type ${username} to confirm`}
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps('typed')}
      />
    </ReasonForm>
  );
}
