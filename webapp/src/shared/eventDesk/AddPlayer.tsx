import { Button } from '@mantine/core';
import { useState } from 'react';
import { type Event, useAddPlayerMutation } from '@/api/events';
import { failureText } from '@/shared/account/failure';
import { nameOf, usernameIn } from '@/shared/people/personSummary';
import { UsernameInput } from '@/shared/people/UsernameInput';
import { ConfirmDialog } from '@/shared/ui/ConfirmDialog';
import { Failure } from '@/shared/ui/Failure';
import { toast } from '@/shared/ui/toast';
import classes from './Participants.module.css';

/** An admin signs somebody up by their username. */
export function AddPlayer({ event: { eventId, eventState }, onAdded }: { event: Event; onAdded: () => void }) {
  const [text, setText] = useState('');
  const [isAsking, setAsking] = useState(false);
  const [add, { error, isLoading, reset }] = useAddPlayerMutation();
  const username = usernameIn(text);
  if (eventState === 'ended' || eventState === 'cancelled') return null;
  const send = async () => {
    const { data } = await add({ eventId, username });
    setAsking(false);
    if (data === undefined) return;
    toast.success(`${nameOf(data.player)} is signed up.`);
    setText('');
    onAdded();
  };
  return (
    <form
      className={classes.add}
      onSubmit={(submit) => {
        submit.preventDefault();
        setAsking(true);
      }}
    >
      <UsernameInput
        label="Add a player"
        value={text}
        onChange={(typed) => {
          setText(typed);
          reset();
        }}
      />
      <Button type="submit" variant="default" disabled={username === ''}>
        Add Player…
      </Button>
      <Failure text={error === undefined ? null : failureText(error, 'Failed to add the player')} />
      <ConfirmDialog
        title={`Add ${username}`}
        opened={isAsking}
        isBusy={isLoading}
        confirm="Add Player"
        keep="Cancel"
        onConfirm={() => void send()}
        onKeep={() => setAsking(false)}
      >
        <p>
          {username} is signed up and told of it.
          {eventState === 'started' && ' They take part from the next round or pairing on.'}
        </p>
      </ConfirmDialog>
    </form>
  );
}
