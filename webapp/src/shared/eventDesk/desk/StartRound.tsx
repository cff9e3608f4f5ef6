import { Button } from '@mantine/core';
import { useState } from 'react';
import { type Event, type StageRound, useStartRoundMutation } from '@/api/events';
import { failureText } from '@/shared/account/failure';
import { ConfirmDialog } from '@/shared/ui/ConfirmDialog';
import { toast } from '@/shared/ui/toast';

interface StartRoundProps {
  event: Event;
  /** One that waits. */
  round: StageRound;
}

/** Has a round that waits begin at once. */
export function StartRound({ event: { eventId }, round: { round } }: StartRoundProps) {
  const [isAsking, setAsking] = useState(false);
  const [start, starting] = useStartRoundMutation();
  const send = async () => {
    const { error } = await start({ eventId, round });
    setAsking(false);
    if (error === undefined) toast.success(`Round ${round} has begun.`);
    else toast.error(failureText(error, 'Failed to start the round'));
  };
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        Start Round {round} Now
      </Button>
      <ConfirmDialog
        title={`Start Round ${round}`}
        opened={isAsking}
        isBusy={starting.isLoading}
        confirm="Start Now"
        keep="Wait"
        onConfirm={() => void send()}
        onKeep={() => setAsking(false)}
      >
        <p>Its games open at once. Players who are not there within a minute lose their match.</p>
      </ConfirmDialog>
    </>
  );
}
