import { Button } from '@mantine/core';
import { useId } from 'react';
import { useSelector } from 'react-redux';
import { Link } from 'react-router';
import type { Event, EventState } from '@/api/events';
import { EventBadge } from '@/shared/events/EventBadge';
import { dateTime } from '@/shared/events/times';
import { selectUser } from '@/shared/session/sessionSlice';
import classes from './EventCard.module.css';

/** What the list calls the states (events and gameplay, section 2); others go by their raw name. */
const BADGES: Partial<Record<EventState, string>> = { published: 'Register', started: 'Live', cancelled: 'Cancelled' };
const BUTTONS: Partial<Record<EventState, string>> = { published: 'Register Now', started: 'Join Event' };

/** An event in the players' list (events and gameplay, section 2). */
export function EventCard({ event }: { event: Event }) {
  const { eventId, eventState, title, description, startTime, endTime, prize } = event;
  const id = useId();
  const isGuest = useSelector(selectUser)?.isTempUser ?? false;
  return (
    <article className={classes.card} aria-labelledby={id} data-state={eventState}>
      <div className={classes.head}>
        <h2 id={id}>{title}</h2>
        <EventBadge state={eventState}>{BADGES[eventState] ?? eventState}</EventBadge>
      </div>
      {description && <p className={classes.description}>{description}</p>}
      <dl className={classes.facts}>
        {startTime !== undefined && <Fact name="Starts" value={dateTime(startTime)} />}
        {endTime !== undefined && <Fact name="Ends" value={dateTime(endTime)} />}
        {prize && <Fact name="Prize" value={prize} />}
      </dl>
      {eventState === 'cancelled' ? (
        <Button disabled>Event Cancelled</Button>
      ) : (
        <Button component={Link} to={`/app/events/view/${eventId}`} aria-describedby={id}>
          {(isGuest ? undefined : BUTTONS[eventState]) ?? 'View Details'}
        </Button>
      )}
    </article>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
}
