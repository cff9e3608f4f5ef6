import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import {
  type Event,
  useCancelEventMutation,
  useDeleteEventMutation,
  useEndEventMutation,
  useStartEventMutation,
  useUpdateEventMutation,
} from '@/api/events';
import { failureText } from '@/shared/account/failure';
import { log } from '@/shared/log';
import { Card } from '@/shared/ui/Card';
import { ConfirmDialog } from '@/shared/ui/ConfirmDialog';
import { Failure } from '@/shared/ui/Failure';
import { toast } from '@/shared/ui/toast';
import { publishErrors } from './eventForm';
import classes from './QuickActions.module.css';

interface QuickActionsProps {
  event: Event;
  /** The form is open: what is done now would be done to something else than what stands there. */
  isEditing: boolean;
  onEdit: () => void;
}

type Question = 'end' | 'cancel' | 'delete';

/** What an admin may do with an event in its present state (events and gameplay, section 4). */
export function QuickActions({ event, isEditing, onEdit }: QuickActionsProps) {
  const { eventId, eventState, title } = event;
  const navigate = useNavigate();
  const [update, publishing] = useUpdateEventMutation();
  const [start, starting] = useStartEventMutation();
  const [end, ending] = useEndEventMutation();
  const [cancel, cancelling] = useCancelEventMutation();
  const [remove, removing] = useDeleteEventMutation();
  const [question, setQuestion] = useState<Question | null>(null);
  const [missing, setMissing] = useState<string[]>([]);

  const editButton = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(isEditing);
  useEffect(() => {
    if (wasEditing.current && !isEditing) editButton.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);

  /** Says what came of it; a refusal is noted, and shown to the admin as well. */
  const settle = ({ error }: { error?: unknown }, done: string, failed: string): boolean => {
    setQuestion(null);
    if (error === undefined) toast.success(done);
    else {
      log.warn(failed, error);
      toast.error(failureText(error, failed));
    }
    return error === undefined;
  };

  const publish = async () => {
    const errors = publishErrors(event);
    setMissing(errors);
    if (errors.length > 0) return;
    settle(await update({ eventId, eventState: 'published' }), 'Event published.', 'Failed to publish event');
  };
  const startNow = async () => settle(await start(eventId), 'Event started.', 'Failed to start event');
  const endNow = async () => settle(await end(eventId), 'Event ended.', 'Failed to end event');
  const cancelNow = async () => {
    if (settle(await cancel(eventId), 'Event cancelled.', 'Failed to cancel event'))
      await navigate('/app/admin/events');
  };
  const deleteNow = async () => {
    if (settle(await remove(eventId), 'Draft deleted.', 'Failed to delete event')) await navigate('/app/admin/events');
  };

  const isOpen = eventState === 'drafted' || eventState === 'published';
  const isCancellable = eventState === 'published' || eventState === 'started';
  return (
    <Card title="Quick Actions">
      <div className={classes.actions}>
        {eventState === 'drafted' && (
          <Button disabled={isEditing} loading={publishing.isLoading} onClick={() => void publish()}>
            Publish Event
          </Button>
        )}
        {eventState === 'published' && (
          <Button disabled={isEditing} loading={starting.isLoading} onClick={() => void startNow()}>
            Start Event
          </Button>
        )}
        {eventState === 'started' && <Button onClick={() => setQuestion('end')}>End Event</Button>}
        {isOpen && (
          <Button ref={editButton} variant="default" disabled={isEditing} onClick={onEdit}>
            Edit Event
          </Button>
        )}
        {eventState !== 'drafted' && (
          <Button variant="default" component={Link} to={`/app/events/view/${eventId}`}>
            View as a Player
          </Button>
        )}
        {isCancellable && (
          <Button variant="default" className={classes.danger ?? ''} onClick={() => setQuestion('cancel')}>
            Cancel Event
          </Button>
        )}
        {eventState === 'drafted' && (
          <Button variant="default" className={classes.danger ?? ''} onClick={() => setQuestion('delete')}>
            Delete Draft
          </Button>
        )}
      </div>
      {isEditing && <p className={classes.hint}>Save or discard your changes first.</p>}
      <Failure text={missing.length === 0 ? null : missing.join(' ')} />

      <ConfirmDialog
        title="End Event"
        opened={question === 'end'}
        confirm="End Event"
        keep="Keep Playing"
        isBusy={ending.isLoading}
        onConfirm={() => void endNow()}
        onKeep={() => setQuestion(null)}
      >
        <p>
          End <strong>{title}</strong> now? Nobody is paired any more, games under way have a minute, then the winners
          are written.
        </p>
      </ConfirmDialog>
      <ConfirmDialog
        title="Cancel Event"
        opened={question === 'cancel'}
        confirm="Cancel Event"
        keep="Keep Event"
        isBusy={cancelling.isLoading}
        onConfirm={() => void cancelNow()}
        onKeep={() => setQuestion(null)}
      >
        <p>
          Cancel <strong>{title}</strong>? Cancelled events cannot be undone.
        </p>
        {eventState === 'started' && <p>Games under way become void, and nobody wins.</p>}
      </ConfirmDialog>
      <ConfirmDialog
        title="Delete Draft"
        opened={question === 'delete'}
        confirm="Delete Draft"
        keep="Keep Draft"
        isBusy={removing.isLoading}
        onConfirm={() => void deleteNow()}
        onKeep={() => setQuestion(null)}
      >
        <p>
          Delete <strong>{title}</strong>? Nothing of it is kept.
        </p>
      </ConfirmDialog>
    </Card>
  );
}
