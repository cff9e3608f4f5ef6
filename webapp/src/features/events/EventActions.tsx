import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { Link } from 'react-router';
import type { Event } from '@/api/events';
import { isHostOf } from '@/shared/events/host';
import { screenPath } from '@/shared/events/postGameRedirect';
import { gameFileAddress } from '@/shared/play/gameFile';
import { selectUser } from '@/shared/session/sessionSlice';
import { useAppSelector } from '@/shared/storeHooks';
import { CalendarIcon, DownloadIcon, EyeIcon, LinkIcon } from '@/shared/ui/icons';
import classes from './EventActions.module.css';

/** Adds an event to the calendar or shares it; whoever runs it opens the big screen of the hall. */
export function EventActions({ event }: { event: Event }) {
  const { eventId, title, eventState, startTime, isPrivate, calendarToken } = event;
  const user = useAppSelector(selectUser);
  const runs = user?.isAdmin === true || isHostOf(event, user);
  const { copy, copied } = useClipboard({ timeout: 2_000 });
  const link = `${window.location.origin}/app/events/view/${eventId}`;
  // A calendar program that fetches the file of a private event is not signed in.
  const token = calendarToken === undefined ? '' : `?token=${calendarToken}`;
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
          href={`/api/backend/events/${eventId}/calendar.ics${token}`}
          download={`${title}.ics`}
          variant="subtle"
          leftSection={<CalendarIcon />}
        >
          Add to calendar
        </Button>
      )}
      {/* A private event is entered with its code alone: another link leads nowhere. */}
      {!isPrivate && (
        <Button variant="subtle" leftSection={<LinkIcon />} onClick={share}>
          {copied ? 'Link copied' : 'Share'}
        </Button>
      )}
      {user !== null && (eventState === 'started' || eventState === 'ended') && (
        <Button
          component="a"
          href={gameFileAddress('notation', eventId)}
          download
          variant="subtle"
          leftSection={<DownloadIcon />}
        >
          Games
        </Button>
      )}
      {runs && (
        <Button component={Link} to={screenPath(eventId)} variant="subtle" leftSection={<EyeIcon />}>
          Big screen
        </Button>
      )}
    </div>
  );
}
