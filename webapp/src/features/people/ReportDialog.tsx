import { Button, Modal, Radio, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type ReportKind, useReportUserMutation } from '@/api/people';
import { useFormSubmit } from '@/shared/account/useFormSubmit';
import { PersonLabel } from '@/shared/people/PersonLabel';
import { nameOf } from '@/shared/people/personSummary';
import { type Draft, reportClosed, reportDrafted, type Reporting, reportSent } from '@/shared/people/reportSlice';
import { useBlocking } from '@/shared/people/useBlocking';
import { useAppDispatch } from '@/shared/storeHooks';
import dialog from '@/shared/ui/dialog.module.css';
import { Failure } from '@/shared/ui/Failure';
import { useReturnFocus } from '@/shared/ui/useReturnFocus';
import classes from './ReportDialog.module.css';

/** The most characters of a report: docs/behaviour/moderation.md#reports. */
export const MAX_TEXT = 500;

const REASONS: Record<ReportKind, { label: string; description: string }> = {
  name: { label: 'Name', description: 'It insults, threatens or misleads.' },
  picture: { label: 'Picture', description: 'It shows something inappropriate.' },
  behaviour: { label: 'Behaviour', description: 'Stalling, harassing, agreed results.' },
  engine: { label: 'Engine use', description: 'A program seems to be choosing the moves.' },
};
const KINDS = Object.keys(REASONS) as ReportKind[];

/** Reports a person to the admins; what their names and picture are goes with it. */
export default function ReportDialog(reporting: Reporting) {
  useReturnFocus();
  const dispatch = useAppDispatch();
  const { person, isSent } = reporting;
  const close = () => dispatch(reportClosed());
  return (
    <Modal
      opened
      onClose={close}
      title={isSent ? 'Report sent' : `Report ${nameOf(person)}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {isSent ? <Sent person={person} onClose={close} /> : <ReportForm reporting={reporting} onClose={close} />}
    </Modal>
  );
}

function ReportForm({ reporting, onClose }: { reporting: Reporting; onClose: () => void }) {
  const { person, gameId, draft } = reporting;
  const dispatch = useAppDispatch();
  const [report, { isLoading }] = useReportUserMutation();
  const form = useForm<Draft>({
    // The store freezes what it has, and the form changes its own.
    initialValues: { ...draft },
    onValuesChange: (values) => dispatch(reportDrafted({ ...values })),
    validate: {
      kind: (kind) => (kind === '' ? 'Please choose what it is about.' : null),
      text: (text) => (lengthOf(text) > MAX_TEXT ? `At most ${MAX_TEXT} characters.` : null),
    },
  });
  const send = async ({ kind, text }: Draft) => {
    if (kind === '') return null;
    const { userId } = person;
    const { error } = await report({ userId, kind, text: oneLine(text), ...(gameId === null ? {} : { gameId }) });
    if (error === undefined) dispatch(reportSent());
    return error;
  };
  const { submit, failure } = useFormSubmit(form, send, {
    otherwise: 'The report could not be sent',
    fieldErrors: 'instead',
  });
  const length = lengthOf(form.getValues().text);
  return (
    <form className={dialog.body} onSubmit={submit} noValidate>
      <p className={classes.about}>
        <PersonLabel person={person} />
      </p>
      <Radio.Group label="What is it about?" {...form.getInputProps('kind')}>
        <div className={classes.reasons}>
          {KINDS.map((kind) => (
            <Radio key={kind} value={kind} {...REASONS[kind]} />
          ))}
        </div>
      </Radio.Group>
      <Textarea
        label="What happened?"
        description="Anything else we should know (optional)."
        inputWrapperOrder={['label', 'description', 'input', 'error']}
        autosize
        minRows={3}
        maxRows={8}
        {...form.getInputProps('text')}
      />
      <p className={classes.count} data-over={length > MAX_TEXT}>
        {length} of {MAX_TEXT} characters
      </p>
      {gameId !== null && <p className={classes.note}>This game will be attached to the report.</p>}
      <Failure text={failure} />
      <div className={dialog.actions}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={isLoading}>
          Send report
        </Button>
      </div>
    </form>
  );
}

function Sent({ person, onClose }: Pick<Reporting, 'person'> & { onClose: () => void }) {
  const { block } = useBlocking();
  const blockToo = () => {
    onClose();
    void block(person);
  };
  return (
    <div className={dialog.body}>
      <p role="status">
        Thank you. The administrators of this server will look at it. {nameOf(person)} will not be told about it or who
        sent it.
      </p>
      <div className={dialog.actions}>
        <Button variant="default" onClick={blockToo}>
          Block too
        </Button>
        <Button onClick={onClose} data-autofocus>
          Done
        </Button>
      </div>
    </div>
  );
}

/** A report is one line for the server. */
function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ');
}

/** In characters, as the server counts. */
function lengthOf(text: string): number {
  return Array.from(oneLine(text)).length;
}
