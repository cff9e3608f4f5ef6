import { Button, Textarea } from '@mantine/core';
import { useState } from 'react';
import { type Event, useAnnounceMutation } from '@/api/events';
import { failureText } from '@/shared/account/failure';
import { AnnouncementList } from '@/shared/events/Announcements';
import { Card } from '@/shared/ui/Card';
import { Failure } from '@/shared/ui/Failure';
import { toast } from '@/shared/ui/toast';
import dialog from '@/shared/ui/dialog.module.css';
import classes from './EventForm.module.css';

const MAX_LENGTH = 280;

/** Sends an announcement to everybody signed up; it is also shown on the event's page. */
export function Announce({ event: { eventId, announcements } }: { event: Event }) {
  const [text, setText] = useState('');
  const [announce, { isLoading, error }] = useAnnounceMutation();
  const message = text.trim();
  const send = async () => {
    const { error: refused } = await announce({ eventId, message });
    if (refused !== undefined) return;
    toast.success('Announced.');
    setText('');
  };
  return (
    <Card title="Announcements">
      <form
        className={classes.form}
        onSubmit={(submit) => {
          submit.preventDefault();
          if (message !== '') void send();
        }}
      >
        <Textarea
          label="Message to all participants"
          description={`${text.length} of ${MAX_LENGTH} characters`}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          autosize
          minRows={2}
          maxRows={6}
          maxLength={MAX_LENGTH}
          value={text}
          onChange={(change) => setText(change.currentTarget.value)}
        />
        <Failure text={error === undefined ? null : failureText(error, 'Failed to announce')} />
        <div className={dialog.actions}>
          <Button type="submit" disabled={message === ''} loading={isLoading}>
            Announce
          </Button>
        </div>
      </form>
      {announcements.length > 0 && <AnnouncementList announcements={announcements.toReversed()} />}
    </Card>
  );
}
