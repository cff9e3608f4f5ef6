import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import type { Event } from '@/api/events';
import { CalendarIcon, LinkIcon } from '@/shared/ui/icons';
import classes from './EventActions.module.css';

/** Adds an event to the calendar or shares it. */
export function EventActions({ event: { eventId, title, eventState, startTime } }: { event: Event }) {
  const { copy, copied } = useClipboard({ timeout: 2_000 });
  const link = `${window.location.origin}/app/events/view/${eventId}`;
  const isAhead = (eventState === 'published' || eventState === 'started') && startTime !== undefined;
  const share = () => {
    if (!('share' in navigator)) {
      copy(link);
      return;
    }
    // Closing the share sheet is not an error.
    void navigator.share({ title, url: link }).catch(() => undefined);
  };
  return (
    <div className={classes.actions}>
      {isAhead && (
        <Button
          component="a"
          href={`/api/backend/events/${eventId}/calendar.ics`}
          download={`${title}.ics`}
          variant="subtle"
          leftSection={<CalendarIcon />}
        >
          Add to calendar
        </Button>
      )}
      <Button variant="subtle" leftSection={<LinkIcon />} onClick={share}>
        {copied ? 'Link copied' : 'Share'}
      </Button>
    </div>
  );
}
