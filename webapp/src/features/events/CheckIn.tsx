import { Button } from '@mantine/core';
import { useThrottledCallback } from '@mantine/hooks';
import { failureText } from '@/shared/account/failure';
import { type Event, useCheckInMutation } from '@/api/events';
import { useRealtimeEvent } from '@/realtime/RealtimeContext';
import { checkInOpens, checkInText, hereText, isCheckInOpen } from '@/shared/events/checkIn';
import { useNow } from '@/shared/events/countdown';
import { clockTime } from '@/shared/events/times';
import { REFRESH_MS, useRefreshEvent } from '@/shared/events/useEventUpdates';
import { Failure } from '@/shared/ui/Failure';
import { toast } from '@/shared/ui/toast';
import classes from './CheckIn.module.css';

interface CheckInProps {
  event: Event;
  /** Null for somebody who is not signed up. */
  userId: string | null;
  hasCheckedIn: boolean;
}

/** The check-in of an event that is published: when it opens, the button of who is signed up, and who is here. */
export function CheckIn({ event, userId, hasCheckedIn }: CheckInProps) {
  const isOpen = isCheckInOpen(event, useNow());
  useCountOfThoseHere(event);
  const opens = checkInOpens(event);
  if (opens === undefined || event.eventState !== 'published') return null;
  return (
    <section className={classes.checkIn} aria-label="Check-in" data-open={isOpen} data-here={hasCheckedIn}>
      {!isOpen && (
        <p className={classes.text}>
          Check-in opens at <b>{clockTime(opens)}</b>, {checkInText(event)}. Players who do not check in are not paired.
        </p>
      )}
      {isOpen && userId !== null && <Here event={event} userId={userId} hasCheckedIn={hasCheckedIn} />}
      {isOpen && userId === null && (
        <p className={classes.text}>Check-in is open. If you register now, you are checked in too.</p>
      )}
      {isOpen && (
        <p className={classes.count} role="status">
          {hereText(event)}
        </p>
      )}
    </section>
  );
}

function Here({ event: { eventId }, userId, hasCheckedIn }: CheckInProps & { userId: string }) {
  const [checkIn, { isLoading, error }] = useCheckInMutation();
  const set = async (checkedIn: boolean) => {
    const { error: refused } = await checkIn({ eventId, userId, checkedIn });
    if (refused === undefined && checkedIn) toast.success('You are checked in. Stick around!');
  };
  return (
    <>
      {hasCheckedIn ? (
        <>
          <p className={classes.here}>You are checked in.</p>
          <Button variant="subtle" loading={isLoading} onClick={() => void set(false)}>
            Undo check-in
          </Button>
        </>
      ) : (
        <>
          <p className={classes.text}>Check in before the event starts, or you will not be paired.</p>
          <Button size="md" loading={isLoading} onClick={() => void set(true)}>
            Check in
          </Button>
        </>
      )}
      <Failure text={error === undefined ? null : failureText(error, 'Failed to check in')} />
    </>
  );
}

/** Keeps the count up to date while players check in. */
function useCountOfThoseHere(event: Event): void {
  const { eventId, eventState, checkInMinutes } = event;
  const refresh = useRefreshEvent(eventId);
  const refreshCount = useThrottledCallback(() => refresh('Events'), REFRESH_MS);
  useRealtimeEvent('refreshLeaderboard', (change) => {
    if (change.eventId === eventId && eventState === 'published' && checkInMinutes !== undefined) refreshCount();
  });
}
