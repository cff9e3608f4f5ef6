import { Link } from 'react-router';
import type { Event } from '@/api/events';
import { EventBadge } from '@/shared/events/EventBadge';
import { dateTime, timeZone } from '@/shared/events/times';
import { formatName } from '@/shared/stages/formats';
import { EmptyList } from '@/shared/ui/EmptyList';
import classes from './AdminEventsPage.module.css';

export function EventCards({ events, empty }: { events: Event[]; empty: string }) {
  if (events.length === 0) {
    return (
      <EmptyList>
        <p role="status">{empty}</p>
      </EmptyList>
    );
  }
  return (
    <>
      <ul className={classes.cards} aria-label="Events">
        {events.map((event) => (
          <EventCard key={event.eventId} event={event} />
        ))}
      </ul>
      <p className={classes.zone}>Times are in {timeZone()}.</p>
    </>
  );
}

function EventCard({ event }: { event: Event }) {
  const { eventId, title, eventState, description, format, startTime, endTime, prize, signupCount } = event;
  return (
    <li className={classes.card}>
      <div className={classes.head}>
        <h2>
          <Link to={`/app/admin/events/${eventId}`}>{title}</Link>
        </h2>
        <EventBadge state={eventState} />
      </div>
      {description !== '' && <p className={classes.description}>{description}</p>}
      <dl className={classes.facts}>
        <dt>Format</dt>
        <dd>{formatName(format)}</dd>
        <dt>Starts</dt>
        <dd>{startTime === undefined ? 'Not set' : <time dateTime={startTime}>{dateTime(startTime)}</time>}</dd>
        <dt>Ends</dt>
        <dd>{endTime === undefined ? 'Not set' : <time dateTime={endTime}>{dateTime(endTime)}</time>}</dd>
        {prize !== undefined && prize !== '' && (
          <>
            <dt>Prize</dt>
            <dd>{prize}</dd>
          </>
        )}
        <dt>Registered</dt>
        <dd>{signupCount}</dd>
      </dl>
    </li>
  );
}
