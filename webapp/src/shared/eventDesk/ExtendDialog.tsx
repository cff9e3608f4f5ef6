import { Button, Modal } from '@mantine/core';
import { useState } from 'react';
import { type Event, useExtendEventMutation } from '@/api/events';
import { dateTime } from '@/shared/events/times';
import { Failure } from '@/shared/ui/Failure';
import dialog from '@/shared/ui/dialog.module.css';
import { toast } from '@/shared/ui/toast';
import { DateTimeField } from './DateTimeField';
import classes from './EventForm.module.css';
import { durationText, endAfter } from './eventForm';
import fields from './EventFieldset.module.css';
import { fieldErrorsOf, formFailure } from './formFailure';

/** In minutes. */
const EXTENSIONS = [5, 15, 30, 60];

interface ExtendDialogProps {
  event: Event;
  opened: boolean;
  onClose: () => void;
}

/** Moves the end of a live event. */
export function ExtendDialog({ event, opened, onClose }: ExtendDialogProps) {
  return (
    <Modal title="Extend Event" opened={opened} onClose={onClose} closeButtonProps={{ 'aria-label': 'Close' }}>
      {opened && <Extend event={event} onDone={onClose} />}
    </Modal>
  );
}

function Extend({ event: { eventId, title, endTime }, onDone }: { event: Event; onDone: () => void }) {
  const [end, setEnd] = useState(endTime ?? null);
  const [extend, { isLoading, error }] = useExtendEventMutation();
  const send = async () => {
    if (end === null) return;
    const { error: refused } = await extend({ eventId, endTime: end });
    if (refused !== undefined) return;
    toast.success(`The event ends ${dateTime(end)}.`);
    onDone();
  };
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(submit) => {
        submit.preventDefault();
        void send();
      }}
    >
      <p>
        When should <strong>{title}</strong> end? Everybody on its page sees the new time.
      </p>
      <DateTimeField
        label="End time"
        value={end}
        onChange={setEnd}
        clearable={false}
        error={fieldErrorsOf(error).endTime !== undefined}
      />
      <div className={fields.durations} role="group" aria-label="Move the end">
        {EXTENSIONS.map((minutes) => (
          <Button
            key={minutes}
            variant="default"
            size="compact-md"
            disabled={end === null}
            onClick={() => setEnd(endAfter(end ?? '', minutes))}
          >
            {durationText(minutes)}
          </Button>
        ))}
      </div>
      <Failure text={error === undefined ? null : formFailure(error, 'Failed to extend event')} />
      <div className={dialog.actions}>
        <Button variant="default" onClick={onDone} data-autofocus>
          Cancel
        </Button>
        <Button type="submit" disabled={end === null || end === endTime} loading={isLoading}>
          Move the End
        </Button>
      </div>
    </form>
  );
}
