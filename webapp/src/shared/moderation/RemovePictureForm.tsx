import { useForm } from '@mantine/form';
import { useRemovePictureMutation } from '@/api/admin';
import { useFormSubmit } from '../account/useFormSubmit';
import { nameOf } from '../people/personSummary';
import { toast } from '../ui/toast';
import { ReasonForm, reasonError } from './ReasonForm';
import type { Subject } from './subject';

export function RemovePictureForm({ subject, onDone }: { subject: Subject; onDone: () => void }) {
  const { userId } = subject;
  const name = nameOf(subject);
  const [remove, { isLoading }] = useRemovePictureMutation();
  const form = useForm({ initialValues: { reason: '' }, validate: { reason: reasonError } });
  const send = async ({ reason }: typeof form.values) => {
    const { error } = await remove({ userId, reason: reason.trim() });
    if (error !== undefined) return error;
    toast.success(`The picture of ${name} is removed.`);
    onDone();
    return undefined;
  };
  const { submit, failure } = useFormSubmit(form, send, { fieldErrors: 'instead' });
  return (
    <ReasonForm
      form={form}
      onSubmit={submit}
      failure={failure}
      effect={`${name} is shown with initials again, and may choose another picture.`}
      readers="Sent to them by email, and kept in the audit trail."
      confirm="Remove picture"
      isDanger
      isBusy={isLoading}
      onCancel={onDone}
    />
  );
}
