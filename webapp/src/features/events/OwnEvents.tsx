import type { Event } from '@/api/events';
import type { Game } from '@/realtime/protocol';
import { EventCard } from './EventCard';
import classes from './EventsPage.module.css';

interface OwnEventsProps {
  events: readonly Event[];
  /** The user's running games. */
  games: readonly Game[];
}

/** The events that one is signed up for and that are not over, above all others. */
export function OwnEvents({ events, games }: OwnEventsProps) {
  return (
    <section className={classes.own} aria-labelledby="own-events">
      <h2 id="own-events">Your events</h2>
      <ul className={classes.grid}>
        {events.map((event) => (
          <li key={`${event.eventId} ${event.eventState}`} className={classes.item} data-state={event.eventState}>
            <EventCard event={event} ownGame={games.find(({ eventId }) => eventId === event.eventId)} isSignedUp />
          </li>
        ))}
      </ul>
      <h2>Other events</h2>
    </section>
  );
}
