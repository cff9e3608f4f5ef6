import { Button } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect, useRef, useState } from 'react';
import { type Event, useUpdateEventMutation } from '@/api/events';
import { EVENT_STATE_LABELS } from '@/shared/events/eventState';
import { Card } from '@/shared/ui/Card';
import { ConfirmDialog } from '@/shared/ui/ConfirmDialog';
import { Failure } from '@/shared/ui/Failure';
import { toast } from '@/shared/ui/toast';
import { useUnsavedChanges } from '@/shared/ui/useUnsavedChanges';
import { EventFieldset } from './EventFieldset';
import { changesBetween, draftErrors, fieldsOf, type EventFields } from './eventForm';
import dialog from '@/shared/ui/dialog.module.css';
import classes from './EventForm.module.css';
import { fieldErrorsOf, formFailure, inWords } from './formFailure';

interface EditEventProps {
  event: Event;
  /** Called when the form was saved or discarded. */
  onDone: () => void;
}

/** Changes an event while it is a draft or published: docs/behaviour/events.md#life-of-an-event. */
export function EditEvent({ event, onDone }: EditEventProps) {
  // The server's values when editing began: changes are computed against them.
  const [before] = useState(() => fieldsOf(event));
  const form = useForm<EventFields>({ initialValues: before, validate: draftErrors });
  const [update, { isLoading }] = useUpdateEventMutation();
  const [failure, setFailure] = useState<string | null>(null);
  const [isDiscarding, setDiscarding] = useState(false);

  const box = useRef<HTMLFormElement>(null);
  useEffect(() => {
    // The button that opened the form is disabled now, so the focus moves into the form.
    box.current?.querySelector('input')?.focus();
  }, []);

  const changes = changesBetween(before, form.values);
  const isDirty = Object.keys(changes).length > 0;
  const leaving = useUnsavedChanges(isDirty);
  const isEditable = event.eventState === 'drafted' || event.eventState === 'published';
  const isOutdated = Object.keys(changesBetween(before, fieldsOf(event))).length > 0;

  const save = async () => {
    setFailure(null);
    if (!isDirty) return onDone();
    const { error } = await update({ eventId: event.eventId, ...changes });
    if (error !== undefined) {
      form.setErrors(fieldErrorsOf(error));
      setFailure(formFailure(error, 'Failed to save event'));
      return;
    }
    toast.success('Changes saved.');
    onDone();
  };

  return (
    <Card title="Edit Event">
      <form
        ref={box}
        noValidate
        className={classes.form}
        onSubmit={form.onSubmit(
          () => void save(),
          (errors) => setFailure(inWords(errors)),
        )}
      >
        <EventFieldset form={form} stored={before} />
        {!isEditable && (
          <Failure
            text={`This event is ${EVENT_STATE_LABELS[event.eventState].toLowerCase()} now and can no longer be edited.`}
          />
        )}
        {isEditable && isOutdated && (
          <Failure text="Somebody else has changed this event. Saving updates only the fields you changed." />
        )}
        <Failure text={failure} />
        <div className={dialog.actions}>
          <Button variant="default" onClick={() => (isDirty ? setDiscarding(true) : onDone())}>
            Cancel
          </Button>
          <Button type="submit" loading={isLoading} disabled={!isEditable}>
            Save Changes
          </Button>
        </div>
      </form>
      <ConfirmDialog
        title="Discard changes?"
        opened={isDiscarding || leaving.isAsking}
        confirm="Discard Changes"
        keep="Keep Editing"
        onConfirm={isDiscarding ? onDone : leaving.leave}
        onKeep={() => (isDiscarding ? setDiscarding(false) : leaving.stay())}
      >
        <p>Your changes to this event are not saved.</p>
      </ConfirmDialog>
    </Card>
  );
}
