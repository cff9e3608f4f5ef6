import { Button, Checkbox, Modal } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useCreateEventMutation } from '@/api/events';
import { Failure } from '@/shared/ui/Failure';
import { toast } from '@/shared/ui/toast';
import { ADMINS_DESK } from '@/shared/eventDesk/deskOf';
import { EventFieldset } from '@/shared/eventDesk/EventFieldset';
import { draftErrors, NEW_EVENT, newEvent, type EventFields } from '@/shared/eventDesk/eventForm';
import dialog from '@/shared/ui/dialog.module.css';
import classes from '@/shared/eventDesk/EventForm.module.css';
import { fieldErrorsOf, formFailure, inWords } from '@/shared/eventDesk/formFailure';

interface CreateEventDialogProps {
  opened: boolean;
  onClose: () => void;
}

/** Creates a draft and opens it. */
export function CreateEventDialog({ opened, onClose }: CreateEventDialogProps) {
  const form = useForm<EventFields>({ initialValues: NEW_EVENT, validate: draftErrors });
  const [create, { isLoading }] = useCreateEventMutation();
  const [failure, setFailure] = useState<string | null>(null);
  const navigate = useNavigate();

  const close = () => {
    form.reset();
    setFailure(null);
    onClose();
  };

  const send = async (fields: EventFields) => {
    setFailure(null);
    const { data, error } = await create(newEvent(fields));
    if (error !== undefined) {
      form.setErrors(fieldErrorsOf(error));
      setFailure(formFailure(error, 'Failed to create event. Please try again.'));
      return;
    }
    toast.success('Draft created.');
    close();
    await navigate(ADMINS_DESK.pathOf(data.event.eventId));
  };

  return (
    <Modal
      title="Create Event"
      size="lg"
      opened={opened}
      onClose={close}
      // An accidental click outside must not discard the input.
      closeOnClickOutside={!form.isDirty()}
      closeOnEscape={!form.isDirty()}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <form
        noValidate
        className={classes.form}
        onSubmit={form.onSubmit(
          (fields) => void send(fields),
          (errors) => setFailure(inWords(errors)),
        )}
      >
        <EventFieldset form={form} stored={NEW_EVENT} />
        <Checkbox
          label="Private"
          description="It is entered with a join code, and nobody else sees it. This cannot be changed later."
          {...form.getInputProps('isPrivate', { type: 'checkbox' })}
        />
        <Failure text={failure} />
        <div className={dialog.actions}>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={isLoading}>
            Create Event
          </Button>
        </div>
      </form>
    </Modal>
  );
}
