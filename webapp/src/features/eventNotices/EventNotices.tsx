import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useLocation, useNavigate } from 'react-router';
import { useRealtimeEvent } from '@/realtime/RealtimeContext';
import { COME_WITHIN_MS } from '@/shared/events/comeWithin';
import { gamePath } from '@/shared/events/postGameRedirect';
import { nameOf } from '@/shared/people/personSummary';
import classes from './EventNotices.module.css';

/** How long an announcement is shown, in milliseconds. */
export const ANNOUNCEMENT_MS = 15_000;

/** Notifies players of their game and of announcements of their event, anywhere in the app. */
export function EventNotices() {
  const navigate = useNavigate();
  const { pathname } = useLocation();

  useRealtimeEvent('playerFound', ({ gameId, opponent }) => {
    // The room, and a page of the event's games, open it automatically.
    if (pathname.startsWith('/app/game/')) return;
    const open = () => {
      notifications.hide(gameId);
      void navigate(gamePath(gameId));
    };
    notifications.show({
      id: gameId,
      title: `You play ${nameOf(opponent)}`,
      message: (
        <div className={classes.offer}>
          <span>Your game is about to begin.</span>
          <Button onClick={open}>Play</Button>
        </div>
      ),
      autoClose: COME_WITHIN_MS,
      color: 'var(--accent)',
      role: 'alert',
    });
  });

  useRealtimeEvent('eventAnnouncement', ({ eventId, title, message, at }) => {
    notifications.show({
      id: `${eventId} ${at}`,
      title,
      message,
      autoClose: ANNOUNCEMENT_MS,
      color: 'var(--accent)',
      role: 'status',
    });
  });
  return null;
}
