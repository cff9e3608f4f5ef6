import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import {
  type Event,
  useCancelEventMutation,
  useConcludeEventMutation,
  useDeleteEventMutation,
  useDuplicateEventMutation,
  useEndEventMutation,
  useEventQuery,
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
import { ReopenDialog } from './ReopenDialog';

interface QuickActionsProps {
  event: Event;
  /** The edit form is open: an action would not apply to what the form shows. */
  isEditing: boolean;
  onEdit: () => void;
}

type Question = 'end' | 'cancel' | 'delete' | 'reopen' | 'conclude';

/** The actions an admin has in the event's current state: docs/behaviour/events.md#life-of-an-event. */
export function QuickActions({ event, isEditing, onEdit }: QuickActionsProps) {
  const { eventId, eventState, title, concluded, decidedBy, gamesInPlay } = event;
  const { refetch } = useEventQuery(eventId);
  const navigate = useNavigate();
  const [update, publishing] = useUpdateEventMutation();
  const [start, starting] = useStartEventMutation();
  const [end, ending] = useEndEventMutation();
  const [cancel, cancelling] = useCancelEventMutation();
  const [remove, removing] = useDeleteEventMutation();
  const [conclude, concluding] = useConcludeEventMutation();
  const [duplicate, duplicating] = useDuplicateEventMutation();
  const [question, setQuestion] = useState<Question | null>(null);
  const [missing, setMissing] = useState<string[]>([]);

  const editButton = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(isEditing);
  useEffect(() => {
    if (wasEditing.current && !isEditing) editButton.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);

  /** Shows the result; a refusal is also logged. */
  const settle = ({ error }: { error?: unknown }, done: string, failed: string): boolean => {
    setQuestion(null);
    if (error === undefined) toast.success(done);
    else {
      log.note(failed, error);
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

  const concludeNow = async () => settle(await conclude(eventId), 'The winners are final.', 'Failed to conclude event');
  const duplicateNow = async () => {
    const { data, error } = await duplicate(eventId);
    if (settle({ error }, 'Draft created.', 'Failed to duplicate event') && data !== undefined)
      await navigate(`/app/admin/events/${data.event.eventId}`);
  };
  const ask = (what: Question) => () => {
    // The number of running games must be current when the question is asked.
    void refetch();
    setQuestion(what);
  };

  const isReopened = eventState === 'ended' && !concluded && decidedBy === undefined;
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
        {eventState === 'started' && (
          <Button variant="default" className={classes.danger ?? ''} onClick={ask('end')}>
            End Event
          </Button>
        )}
        {isReopened && <Button onClick={ask('conclude')}>Conclude Event</Button>}
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
        {eventState === 'ended' && concluded && (
          <Button variant="default" onClick={ask('reopen')}>
            Reopen for Corrections
          </Button>
        )}
        <Button
          variant="default"
          disabled={isEditing}
          loading={duplicating.isLoading}
          onClick={() => void duplicateNow()}
        >
          Duplicate Event
        </Button>
        {isCancellable && (
          <Button variant="default" className={classes.danger ?? ''} onClick={ask('cancel')}>
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
          End <strong>{title}</strong> now? Nobody is paired any more, and the winners are written.
        </p>
        {gamesInPlay > 0 && (
          <p>
            <strong>{underWay(gamesInPlay)}</strong> Their players have a minute to finish; what is open then goes to
            whoever used less time.
          </p>
        )}
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
        {eventState === 'started' && (
          <p>
            {gamesInPlay > 0 && <strong>{underWay(gamesInPlay)} </strong>}
            Games under way become void, and nobody wins.
          </p>
        )}
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
      <ConfirmDialog
        title="Conclude Event"
        opened={question === 'conclude'}
        confirm="Conclude Event"
        keep="Not Yet"
        isBusy={concluding.isLoading}
        onConfirm={() => void concludeNow()}
        onKeep={() => setQuestion(null)}
      >
        <p>
          The winners of <strong>{title}</strong> are taken from the standings as they are now, and everybody is told.
        </p>
      </ConfirmDialog>
      <ReopenDialog event={event} opened={question === 'reopen'} onClose={() => setQuestion(null)} />
    </Card>
  );
}

function underWay(games: number): string {
  return games === 1 ? '1 game is under way.' : `${games} games are under way.`;
}
