import { Button } from '@mantine/core';
import { useState } from 'react';
import { type Event, usePauseEventMutation, useResumeEventMutation } from '@/api/events';
import { failureText } from '@/shared/account/failure';
import { ConfirmDialog } from '@/shared/ui/ConfirmDialog';
import { toast } from '@/shared/ui/toast';
import classes from './Desk.module.css';

/** Stops the next round from beginning, or lets it begin. */
export function PauseRounds({ event: { eventId, paused = false } }: { event: Event }) {
  const [isAsking, setAsking] = useState(false);
  const [pause, pausing] = usePauseEventMutation();
  const [resume, resuming] = useResumeEventMutation();
  const send = async () => {
    const { error } = await (paused ? resume(eventId) : pause(eventId));
    setAsking(false);
    if (error === undefined) toast.success(paused ? 'Rounds go on.' : 'Rounds are paused.');
    else toast.error(failureText(error, paused ? 'Failed to resume the rounds' : 'Failed to pause the rounds'));
  };
  const verb = paused ? 'Resume Rounds' : 'Pause Rounds';
  return (
    <>
      {paused && <p className={classes.paused}>Rounds are paused: no further round begins.</p>}
      <Button variant="default" className={classes.pause ?? ''} onClick={() => setAsking(true)}>
        {verb}
      </Button>
      <ConfirmDialog
        title={verb}
        opened={isAsking}
        isBusy={pausing.isLoading || resuming.isLoading}
        confirm={verb}
        keep={paused ? 'Stay Paused' : 'Keep Playing'}
        onConfirm={() => void send()}
        onKeep={() => setAsking(false)}
      >
        <p>
          {paused
            ? 'The next round begins once the one before it is decided.'
            : 'Matches that have begun go on. The next round waits until you resume.'}
        </p>
      </ConfirmDialog>
    </>
  );
}
