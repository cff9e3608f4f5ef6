import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import type { Event } from '@/api/events';
import { Card } from '@/shared/ui/Card';
import { Failure } from '@/shared/ui/Failure';
import { useDeskOf } from './deskOf';
import { QuickActionQuestions } from './QuickActionQuestions';
import classes from './QuickActions.module.css';
import { type QuickActionsState, useQuickActions } from './useQuickActions';

interface QuickActionsProps {
  event: Event;
  /** The edit form is open: an action would not apply to what the form shows. */
  isEditing: boolean;
  onEdit: () => void;
}

/** The actions that an admin, or the event's host, has in its current state: docs/behaviour/events.md#life-of-an-event. */
export function QuickActions({ event, isEditing, onEdit }: QuickActionsProps) {
  const actions = useQuickActions(event);
  const { missing } = actions;
  return (
    <Card title="Quick Actions">
      <ActionButtons event={event} isEditing={isEditing} onEdit={onEdit} actions={actions} />
      {isEditing && <p className={classes.hint}>Save or discard your changes first.</p>}
      <Failure text={missing.length === 0 ? null : missing.join(' ')} />
      <QuickActionQuestions event={event} actions={actions} />
    </Card>
  );
}

function ActionButtons({ event, isEditing, onEdit, actions }: QuickActionsProps & { actions: QuickActionsState }) {
  const { eventId, eventState, concluded, decidedBy } = event;
  const { ask, publish, start, duplicate } = actions;
  const editButton = useFocusAfterEditing(isEditing);
  // Corrections of winners, and copies, are the admins' alone.
  const { isHost } = useDeskOf();
  const isReopened = !isHost && eventState === 'ended' && !concluded && decidedBy === undefined;
  const isOpen = eventState === 'drafted' || eventState === 'published';
  const isCancellable = eventState === 'published' || eventState === 'started';
  return (
    <div className={classes.actions}>
      {eventState === 'drafted' && (
        <Button disabled={isEditing} loading={publish.isBusy} onClick={publish.run}>
          Publish Event
        </Button>
      )}
      {eventState === 'published' && (
        <Button disabled={isEditing} loading={start.isBusy} onClick={start.run}>
          Start Event
        </Button>
      )}
      {eventState === 'started' && (
        <Button variant="default" className={classes.danger ?? ''} onClick={() => ask('end')}>
          End Event
        </Button>
      )}
      {eventState === 'started' && (
        <Button variant="default" onClick={() => ask('extend')}>
          Extend Event
        </Button>
      )}
      {isReopened && <Button onClick={() => ask('conclude')}>Conclude Event</Button>}
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
      {!isHost && eventState === 'ended' && concluded && (
        <Button variant="default" onClick={() => ask('reopen')}>
          Reopen for Corrections
        </Button>
      )}
      {!isHost && (
        <Button variant="default" disabled={isEditing} loading={duplicate.isBusy} onClick={duplicate.run}>
          Duplicate Event
        </Button>
      )}
      {isCancellable && (
        <Button variant="default" className={classes.danger ?? ''} onClick={() => ask('cancel')}>
          Cancel Event
        </Button>
      )}
      {eventState === 'drafted' && (
        <Button variant="default" className={classes.danger ?? ''} onClick={() => ask('delete')}>
          Delete Draft
        </Button>
      )}
    </div>
  );
}

/** Gives the focus back to the edit button when the edit form closes. */
function useFocusAfterEditing(isEditing: boolean) {
  const editButton = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(isEditing);
  useEffect(() => {
    if (wasEditing.current && !isEditing) editButton.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);
  return editButton;
}
