import { Button } from '@mantine/core';
import { useNavigate } from 'react-router';
import { api } from '@/api/base';
import { type OwnInvitation, useAnswerInvitationMutation, useOwnInvitationsQuery } from '@/api/events';
import { useRealtimeEvent } from '@/realtime/RealtimeContext';
import { failureText } from '@/shared/account/failure';
import { dateTime } from '@/shared/events/times';
import { nameOf } from '@/shared/people/personSummary';
import { selectUser } from '@/shared/session/sessionSlice';
import { useAppDispatch, useAppSelector } from '@/shared/storeHooks';
import { Failure } from '@/shared/ui/Failure';
import { ifKnown } from '@/shared/ui/Loaded';
import { toast } from '@/shared/ui/toast';
import classes from './OwnInvitations.module.css';

/** The private events that one is invited to, each to be accepted or declined; nothing for those who are not. */
export function OwnInvitations() {
  const user = useAppSelector(selectUser);
  const dispatch = useAppDispatch();
  const known = ifKnown(
    useOwnInvitationsQuery(undefined, {
      skip: user === null || user.isTempUser,
      refetchOnMountOrArgChange: true,
      refetchOnReconnect: true,
      refetchOnFocus: true,
    }),
  );
  const refresh = () => dispatch(api.util.invalidateTags([{ type: 'Invitations', id: 'OWN' }]));
  useRealtimeEvent('eventNews', refresh);
  useRealtimeEvent('authenticated', refresh);
  if (known === undefined || known.invitations.length === 0) return null;
  return (
    <section className={classes.invitations} aria-labelledby="own-invitations">
      <h2 id="own-invitations">You are invited</h2>
      <ul>
        {known.invitations.map((invitation) => (
          <li key={invitation.eventId}>
            <Invitation invitation={invitation} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Invitation({ invitation: { eventId, title, host, startTime, eventState } }: { invitation: OwnInvitation }) {
  const navigate = useNavigate();
  const [send, { isLoading, error }] = useAnswerInvitationMutation();
  const answer = async (accepted: boolean) => {
    const { data } = await send({ eventId, accepted });
    if (data === undefined) return;
    if (accepted) void navigate(`/app/events/view/${eventId}`);
    else toast.success('The invitation is declined.');
  };
  return (
    <>
      <div className={classes.what}>
        <strong>{title}</strong>
        <span>
          by {nameOf(host)}
          {eventState === 'started' ? ' · Live' : startTime !== undefined && ` · ${dateTime(startTime)}`}
        </span>
      </div>
      <div className={classes.acts}>
        <Button loading={isLoading} onClick={() => void answer(true)} aria-label={`Accept: ${title}`}>
          Accept
        </Button>
        <Button
          variant="default"
          disabled={isLoading}
          onClick={() => void answer(false)}
          aria-label={`Decline: ${title}`}
        >
          Decline
        </Button>
      </div>
      <Failure text={error === undefined ? null : failureText(error, 'Failed to answer the invitation')} />
    </>
  );
}
