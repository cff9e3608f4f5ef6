import { Button, Modal, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useCloseReportMutation } from '@/api/admin';
import type { components } from '@/api/schema';
import { useFormSubmit } from '@/shared/account/useFormSubmit';
import { Failure } from '@/shared/ui/Failure';
import dialog from '@/shared/ui/dialog.module.css';
import { toast } from '@/shared/ui/toast';

export type Outcome = components['schemas']['ReportOutcome'];

const TEXTS: Record<Outcome, { verb: string; meaning: string; done: string }> = {
  dismissed: { verb: 'Dismiss', meaning: 'No action is needed.', done: 'The report is dismissed.' },
  upheld: { verb: 'Uphold', meaning: 'It was justified, and action was taken.', done: 'The report is upheld.' },
};

interface DecisionProps {
  reportId: string;
  outcome: Outcome;
  onDone: () => void;
}

interface CloseReportProps extends DecisionProps {
  /** Of the person whom it is about. */
  name: string;
  opened: boolean;
}

/** Closes a report with an outcome and a note. */
export function CloseReport({ name, opened, ...decision }: CloseReportProps) {
  const { verb } = TEXTS[decision.outcome];
  return (
    <Modal
      title={`${verb} the report about ${name}`}
      opened={opened}
      onClose={decision.onDone}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Decision {...decision} />
    </Modal>
  );
}

function Decision({ reportId, outcome, onDone }: DecisionProps) {
  const { verb, meaning, done } = TEXTS[outcome];
  const [close, { isLoading }] = useCloseReportMutation();
  const form = useForm({ initialValues: { note: '' } });
  const send = async ({ note }: typeof form.values) => {
    const { error } = await close({ reportId, outcome, note: note.trim() });
    if (error !== undefined) return error;
    toast.success(done);
    onDone();
    return undefined;
  };
  const { submit, failure } = useFormSubmit(form, send, { fieldErrors: 'instead' });
  return (
    <form className={dialog.body} onSubmit={submit} noValidate>
      <p>{meaning} Only admins see the outcome of a report.</p>
      <TextInput
        label="Note"
        description="For other admins (optional)."
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
          {verb}
        </Button>
      </div>
    </form>
  );
}
