import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { type Event, useRenewJoinCodeMutation } from '@/api/events';
import { failureText } from '@/shared/account/failure';
import { Card } from '@/shared/ui/Card';
import { ConfirmDialog } from '@/shared/ui/ConfirmDialog';
import { CopyField } from '@/shared/ui/CopyField';
import { toast } from '@/shared/ui/toast';
import { InviteByName } from './InviteByName';
import classes from './InvitePlayers.module.css';
import { joinLink, typedCode } from './joinCode';

interface InvitePlayersProps {
  event: Event;
  /** More to do with the event. */
  children?: ReactNode;
}

/** How people enter a private event, for whoever runs it; nothing for others. */
export function InvitePlayers({ event, children }: InvitePlayersProps) {
  const { eventState, joinCode } = event;
  if (joinCode === undefined || eventState === 'ended' || eventState === 'cancelled') return null;
  return (
    <Card title="Invite players">
      {eventState === 'drafted' ? (
        <p className={classes.note}>Publish the event, and you can invite people with a link.</p>
      ) : (
        <Invitation event={event} code={joinCode}>
          {children}
        </Invitation>
      )}
    </Card>
  );
}

interface InvitationProps extends InvitePlayersProps {
  code: string;
}

function Invitation({ event: { eventId, title }, code, children }: InvitationProps) {
  const link = joinLink(code);
  return (
    <>
      <p className={classes.note}>Whoever has the link or the code can enter.</p>
      <CopyField label="Link" value={link} copy="Copy Link" />
      <CopyField label="Join code" value={typedCode(code)} copy="Copy Code" isSecond />
      <div className={classes.acts}>
        {'share' in navigator && (
          <Button
            variant="default"
            // Closing the share sheet is not an error.
            onClick={() => void navigator.share({ title, url: link }).catch(() => undefined)}
          >
            Share
          </Button>
        )}
        <RenewCode eventId={eventId} />
        {children}
      </div>
      <InviteByName eventId={eventId} />
    </>
  );
}

function RenewCode({ eventId }: { eventId: string }) {
  const [isAsking, setAsking] = useState(false);
  const [renew, { isLoading }] = useRenewJoinCodeMutation();
  const send = async () => {
    const { error } = await renew(eventId);
    setAsking(false);
    if (error === undefined) toast.success('The event has a new code.');
    else toast.error(failureText(error, 'Failed to make a new code'));
  };
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        New Code…
      </Button>
      <ConfirmDialog
        title="Make a new code?"
        opened={isAsking}
        isBusy={isLoading}
        confirm="Make a New Code"
        keep="Keep This One"
        onConfirm={() => void send()}
        onKeep={() => setAsking(false)}
      >
        <p>The link and the code that you have sent stop working. Whoever has entered stays in.</p>
      </ConfirmDialog>
    </>
  );
}
