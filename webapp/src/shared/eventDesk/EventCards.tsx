import { Link } from 'react-router';
import type { Event } from '@/api/events';
import { EventBadge, PrivateBadge } from '@/shared/events/EventBadge';
import { dateTime, timeZone } from '@/shared/events/times';
import { nameOf } from '@/shared/people/personSummary';
import { formatName } from '@/shared/stages/formats';
import { useDeskOf } from './deskOf';
import classes from './EventCards.module.css';

interface EventCardsProps {
  events: Event[];
  /** Of each event's title. */
  heading?: 'h2' | 'h3';
}

/** Events, each of which leads to its desk. */
export function EventCards({ events, heading = 'h2' }: EventCardsProps) {
  return (
    <>
      <ul className={classes.cards} aria-label="Events">
        {events.map((event) => (
          <EventCard key={event.eventId} event={event} heading={heading} />
        ))}
      </ul>
      <p className={classes.zone}>Times are in {timeZone()}.</p>
    </>
  );
}

function EventCard({ event, heading: Heading }: { event: Event; heading: 'h2' | 'h3' }) {
  const { isHost, pathOf } = useDeskOf();
  const { eventId, title, eventState, description, format, startTime, endTime, prize, signupCount } = event;
  const { isPrivate, host, maxPlayers } = event;
  return (
    <li className={classes.card}>
      <div className={classes.head}>
        <Heading>
          <Link to={pathOf(eventId)}>{title}</Link>
        </Heading>
        <span className={classes.badges}>
          {isPrivate && !isHost && <PrivateBadge />}
          <EventBadge state={eventState} />
        </span>
      </div>
      {description !== '' && <p className={classes.description}>{description}</p>}
      <dl className={classes.facts}>
        {host !== undefined && !isHost && (
          <>
            <dt>Host</dt>
            <dd>{nameOf(host)}</dd>
          </>
        )}
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
        <dd>{maxPlayers === undefined ? signupCount : `${signupCount} of at most ${maxPlayers}`}</dd>
      </dl>
    </li>
  );
}
