import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useLocation, useNavigate } from 'react-router';
import { useRealtimeEvent } from '@/realtime/RealtimeContext';
import { playCall } from '@/shared/board/sound';
import { gamePath } from '@/shared/events/postGameRedirect';
import { nameOf } from '@/shared/people/personSummary';
import { flashTitle } from '@/shared/flashTitle';
import classes from './EventNotices.module.css';

/** A player who has not joined the game by then loses it (docs/behaviour/play.md#event-games), in milliseconds. */
export const COME_WITHIN_MS = 20_000;
/** How long an announcement is shown, in milliseconds. */
export const ANNOUNCEMENT_MS = 15_000;
/** Vibration pattern, in milliseconds. */
const VIBRATION = [220, 120, 220];

/** Notifies players of their game and of announcements of their event, anywhere in the app. */
export function EventNotices() {
  const navigate = useNavigate();
  const { pathname } = useLocation();

  useRealtimeEvent('playerFound', ({ gameId, opponent }) => {
    playCall();
    if ('vibrate' in navigator) navigator.vibrate(VIBRATION);
    flashTitle(`▶ You play ${nameOf(opponent)}!`, COME_WITHIN_MS);
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
