import { Button, Modal, NumberInput } from '@mantine/core';
import { useState } from 'react';
import { type Event, type Signup, useCorrectStandingMutation, useRemoveParticipantMutation } from '@/api/events';
import { failureText } from '@/shared/account/failure';
import { PersonLabel } from '@/shared/people/PersonLabel';
import { nameOf } from '@/shared/people/personSummary';
import { Failure } from '@/shared/ui/Failure';
import { toast } from '@/shared/ui/toast';
import { useDeskOf } from './deskOf';
import classes from './ManageParticipant.module.css';
import { ReasonField } from './ReasonField';

interface ManageParticipantProps {
  event: Event;
  /** Null while the dialog is closed. */
  signUp: Signup | null;
  onClose: () => void;
}

/** Corrects a player's standing, which admins do, or removes them; both are recorded with a reason. */
export function ManageParticipant({ event, signUp, onClose }: ManageParticipantProps) {
  return (
    <Modal
      title={signUp !== null && <PersonLabel person={signUp} />}
      opened={signUp !== null}
      onClose={onClose}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {signUp !== null && <Manage key={signUp.userId} event={event} signUp={signUp} onDone={onClose} />}
    </Modal>
  );
}

function Manage({ event, signUp, onDone }: { event: Event; signUp: Signup; onDone: () => void }) {
  const { isHost } = useDeskOf();
  const { eventState, concluded, format } = event;
  const isPlayed = eventState === 'started' || eventState === 'ended';
  if (concluded) {
    const final = isHost ? 'The winners are final.' : 'The winners are final. Reopen the event to correct a standing.';
    const text = eventState === 'ended' ? final : 'The event was cancelled: there is nothing to correct.';
    return <p className={classes.about}>{text}</p>;
  }
  return (
    <div className={classes.parts}>
      {isPlayed && format === 'arena' && !isHost && <CorrectStanding event={event} signUp={signUp} onDone={onDone} />}
      {isPlayed && format !== 'arena' && (
        <p className={classes.about}>Results of matches are corrected at the director’s desk.</p>
      )}
      {signUp.status === 'removed' ? (
        <p className={classes.about}>{nameOf(signUp)} was removed from the event.</p>
      ) : (
        <Remove event={event} signUp={signUp} onDone={onDone} />
      )}
    </div>
  );
}

interface PartProps {
  event: Event;
  signUp: Signup;
  onDone: () => void;
}

const FIELDS = { level: 'Level', wins: 'Wins', losses: 'Losses' } as const;

function CorrectStanding({ event: { eventId }, signUp, onDone }: PartProps) {
  const { userId, level, wins, losses } = signUp;
  const [standing, setStanding] = useState({ level, wins, losses });
  const [reason, setReason] = useState('');
  const [correct, { isLoading, error }] = useCorrectStandingMutation();
  const changed = (Object.keys(FIELDS) as (keyof typeof FIELDS)[]).filter((field) => standing[field] !== signUp[field]);
  const send = async () => {
    const updates = Object.fromEntries(changed.map((field) => [field, standing[field]]));
    const { error: refused } = await correct({ eventId, userId, updates, reason: reason.trim() });
    if (refused !== undefined) return;
    toast.success(`The standing of ${nameOf(signUp)} is corrected.`);
    onDone();
  };
  return (
    <form
      className={classes.part}
      aria-label="Correct the standing"
      onSubmit={(submit) => {
        submit.preventDefault();
        void send();
      }}
    >
      <h3>Correct the standing</h3>
      <div className={classes.figures}>
        {(Object.keys(FIELDS) as (keyof typeof FIELDS)[]).map((field) => (
          <NumberInput
            key={field}
            label={FIELDS[field]}
            min={field === 'level' ? 1 : 0}
            max={999}
            allowDecimal={false}
            allowNegative={false}
            clampBehavior="strict"
            value={standing[field]}
            onChange={(value) => {
              if (typeof value === 'number') setStanding({ ...standing, [field]: value });
            }}
          />
        ))}
      </div>
      <ReasonField value={reason} onChange={setReason} />
      <Failure text={error === undefined ? null : failureText(error, 'Failed to correct the standing')} />
      <Button type="submit" disabled={changed.length === 0 || reason.trim() === ''} loading={isLoading}>
        Save Correction
      </Button>
    </form>
  );
}

function Remove({ event: { eventId, eventState }, signUp, onDone }: PartProps) {
  const name = nameOf(signUp);
  const [reason, setReason] = useState('');
  const [remove, { isLoading, error }] = useRemoveParticipantMutation();
  const send = async () => {
    const { error: refused } = await remove({ eventId, userId: signUp.userId, reason: reason.trim() });
    if (refused !== undefined) return;
    toast.success(`${name} is removed from the event.`);
    onDone();
  };
  return (
    <form
      className={classes.part}
      aria-label="Remove from the event"
      onSubmit={(submit) => {
        submit.preventDefault();
        void send();
      }}
    >
      <h3>Remove from the event</h3>
      <p className={classes.about}>
        {eventState === 'started'
          ? `${name} loses any live game and cannot come back.`
          : `${name} cannot take part any more.`}
      </p>
      <ReasonField value={reason} onChange={setReason} />
      <Failure text={error === undefined ? null : failureText(error, 'Failed to remove the participant')} />
      <Button
        type="submit"
        variant="default"
        className={classes.danger ?? ''}
        disabled={reason.trim() === ''}
        loading={isLoading}
      >
        Remove Participant
      </Button>
    </form>
  );
}
