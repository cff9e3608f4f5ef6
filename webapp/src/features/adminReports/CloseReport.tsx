import { Button, Modal, SegmentedControl, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useCloseReportMutation } from '@/api/admin';
import type { components } from '@/api/schema';
import { useFormSubmit } from '@/shared/account/useFormSubmit';
import { Failure } from '@/shared/ui/Failure';
import dialog from '@/shared/ui/dialog.module.css';
import { toast } from '@/shared/ui/toast';

type Outcome = components['schemas']['ReportOutcome'];

const OUTCOMES: { value: Outcome; label: string }[] = [
  { value: 'dismissed', label: 'Dismissed' },
  { value: 'upheld', label: 'Upheld' },
];
const MEANING: Record<Outcome, string> = {
  dismissed: 'There is nothing to do about it.',
  upheld: 'It was right, and something was done.',
};

interface CloseReportProps {
  reportId: string;
  /** Of the person whom it is about. */
  name: string;
  opened: boolean;
  onDone: () => void;
}

/** Closes a report with an outcome and a note. */
export function CloseReport({ reportId, name, opened, onDone }: CloseReportProps) {
  return (
    <Modal
      title={`Close the report about ${name}`}
      opened={opened}
      onClose={onDone}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Decision reportId={reportId} onDone={onDone} />
    </Modal>
  );
}

function Decision({ reportId, onDone }: { reportId: string; onDone: () => void }) {
  const [close, { isLoading }] = useCloseReportMutation();
  const form = useForm<{ outcome: Outcome; note: string }>({ initialValues: { outcome: 'dismissed', note: '' } });
  const send = async ({ outcome, note }: typeof form.values) => {
    const { error } = await close({ reportId, outcome, note: note.trim() });
    if (error !== undefined) return error;
    toast.success('The report is closed.');
    onDone();
    return undefined;
  };
  const { submit, failure } = useFormSubmit(form, send, { fieldErrors: 'instead' });
  return (
    <form className={dialog.body} onSubmit={submit} noValidate>
      <p>Nobody but admins learns how a report ended.</p>
      <div>
        <SegmentedControl aria-label="Outcome" fullWidth data={OUTCOMES} {...form.getInputProps('outcome')} />
        <p role="status">{MEANING[form.values.outcome]}</p>
      </div>
      <TextInput
        label="Note"
        description="For other admins; may be empty."
        maxLength={500}
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('note')}
      />
      <Failure text={failure} />
      <div className={dialog.actions}>
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" loading={isLoading}>
          Close report
        </Button>
      </div>
    </form>
  );
}
