import { Button, Modal } from '@mantine/core';
import { useState } from 'react';
import { type Event, useReopenEventMutation } from '@/api/events';
import { failureText } from '@/shared/account/failure';
import { Failure } from '@/shared/ui/Failure';
import dialog from '@/shared/ui/dialog.module.css';
import classes from './EventForm.module.css';
import { ReasonField } from './ReasonField';

interface ReopenDialogProps {
  event: Event;
  opened: boolean;
  onClose: () => void;
}

/** Reopens a concluded event so that standings can be corrected. */
export function ReopenDialog({ event: { eventId, title }, opened, onClose }: ReopenDialogProps) {
  const [reason, setReason] = useState('');
  const [reopen, { isLoading, error, reset }] = useReopenEventMutation();
  const close = () => {
    setReason('');
    reset();
    onClose();
  };
  const send = async () => {
    const { error: refused } = await reopen({ eventId, reason: reason.trim() });
    if (refused === undefined) close();
  };
  return (
    <Modal title="Reopen for Corrections" opened={opened} onClose={close} closeButtonProps={{ 'aria-label': 'Close' }}>
      <form
        className={classes.form}
        onSubmit={(submit) => {
          submit.preventDefault();
          void send();
        }}
      >
        <p>
          The winners of <strong>{title}</strong> are taken back until you conclude it again. Nobody can play in it
          meanwhile.
        </p>
        <ReasonField value={reason} onChange={setReason} hasFocus />
        <Failure text={error === undefined ? null : failureText(error, 'Failed to reopen event')} />
        <div className={dialog.actions}>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" disabled={reason.trim() === ''} loading={isLoading}>
            Reopen Event
          </Button>
        </div>
      </form>
    </Modal>
  );
}
