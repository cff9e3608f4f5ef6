import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useLocation, useNavigate } from 'react-router';
import { useRealtimeEvent } from '@/realtime/RealtimeContext';
import { COME_WITHIN_MS } from '@/shared/events/comeWithin';
import { gamePath } from '@/shared/events/postGameRedirect';
import { newsPath, newsText, reminderText } from '@/shared/events/reminderText';
import { nameOf } from '@/shared/people/personSummary';
import classes from './EventNotices.module.css';

/** How long an announcement is shown, in milliseconds. */
export const ANNOUNCEMENT_MS = 15_000;

/** Notifies players of their game and of announcements of their event, anywhere in the app. */
export function EventNotices() {
  const navigate = useNavigate();
  const { pathname } = useLocation();

  /** Shows a notice about an event in place of the last one, with the way to its page unless that is open. */
  function tell(id: string, to: string, title: string, text: string): void {
    const open = () => {
      notifications.hide(id);
      void navigate(to);
    };
    notifications.hide(id);
    notifications.show({
      id,
      title,
      message:
        pathname === to ? (
          text
        ) : (
          <div className={classes.offer}>
            <span>{text}</span>
            <Button onClick={open}>Open</Button>
          </div>
        ),
      autoClose: ANNOUNCEMENT_MS,
      color: 'var(--accent)',
      role: 'status',
    });
  }

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

  useRealtimeEvent('eventReminder', ({ eventId, title, ...reminder }) => {
    const to = `/app/events/view/${eventId}`;
    // Whoever is there sees it start.
    if (pathname === to || pathname.startsWith('/app/game/')) return;
    tell(`reminder ${eventId}`, to, title, reminderText(reminder));
  });

  // The event's page shows the new state, but not that it has just changed.
  useRealtimeEvent('eventNews', ({ eventId, title, ...news }) => {
    tell(`news ${eventId}`, newsPath(eventId, news.news), title, newsText(news));
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
