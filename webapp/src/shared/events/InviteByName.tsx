import { Button } from '@mantine/core';
import { useState } from 'react';
import { type Event, useInvitationsQuery, useInvitePlayerMutation, useWithdrawInvitationMutation } from '@/api/events';
import { failureText } from '@/shared/account/failure';
import { PersonLabel } from '@/shared/people/PersonLabel';
import { nameOf, usernameIn } from '@/shared/people/personSummary';
import { UsernameInput } from '@/shared/people/UsernameInput';
import { Failure } from '@/shared/ui/Failure';
import { Loaded } from '@/shared/ui/Loaded';
import { toast } from '@/shared/ui/toast';
import classes from './InvitePlayers.module.css';

/** Invites members to a private event by their usernames, and shows who has not answered, or declined. */
export function InviteByName({ eventId }: Pick<Event, 'eventId'>) {
  const [text, setText] = useState('');
  const [invite, { error, isLoading, reset }] = useInvitePlayerMutation();
  const username = usernameIn(text);
  const send = async () => {
    const { data } = await invite({ eventId, username });
    if (data === undefined) return;
    toast.success(`${username} is invited.`);
    setText('');
  };
  return (
    <>
      <form
        className={classes.byName}
        onSubmit={(submit) => {
          submit.preventDefault();
          if (username !== '') void send();
        }}
      >
        <UsernameInput
          label="Invite by name"
          value={text}
          onChange={(typed) => {
            setText(typed);
            reset();
          }}
        />
        <Button type="submit" variant="default" disabled={username === ''} loading={isLoading}>
          Invite
        </Button>
        <Failure text={error === undefined ? null : failureText(error, 'Failed to invite the player')} />
      </form>
      <Invited eventId={eventId} />
    </>
  );
}

function Invited({ eventId }: Pick<Event, 'eventId'>) {
  const answer = useInvitationsQuery(eventId, { refetchOnMountOrArgChange: true, refetchOnReconnect: true });
  const [takeBack, { isLoading }] = useWithdrawInvitationMutation();
  const send = async (userId: string) => {
    const { error } = await takeBack({ eventId, userId });
    if (error !== undefined) toast.error(failureText(error, 'Failed to take the invitation back'));
  };
  return (
    <Loaded of={answer} loading="Loading invitations..." failure="Failed to load the invitations">
      {({ invitations }) =>
        invitations.length === 0 ? null : (
          <ul className={classes.invited} aria-label="Invited by name">
            {invitations.map((invitation) => (
              <li key={invitation.userId}>
                <PersonLabel person={invitation} />
                <span className={classes.note}>{invitation.state === 'declined' ? 'Declined' : 'Invited'}</span>
                <Button
                  variant="default"
                  size="compact-md"
                  disabled={isLoading}
                  onClick={() => void send(invitation.userId)}
                  aria-label={`Take back the invitation of ${nameOf(invitation)}`}
                >
                  Take Back
                </Button>
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}
