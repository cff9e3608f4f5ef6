import { useId } from 'react';
import type { Event } from '@/api/events';
import { EventCards } from '@/shared/eventDesk/EventCards';
import classes from './HostPage.module.css';

/** The events that the user hosts, in every state; each leads to its desk. */
export function HostedEvents({ events }: { events: Event[] }) {
  const id = useId();
  return (
    <section className={classes.list} aria-labelledby={id}>
      <h2 id={id}>Your events</h2>
      <EventCards events={events} heading="h3" />
    </section>
  );
}
