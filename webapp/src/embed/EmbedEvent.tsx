import { useCallback } from 'react';
import type { components } from '@/api/schema';
import { EVENT_STATE_LABELS } from '@/shared/events/eventState';
import { eventTimesOf, eventTimeText } from '@/shared/events/eventTimes';
import { nameOf } from '@/shared/people/personSummary';
import { ask } from './ask';
import classes from './embed.module.css';
import { Frame, Nothing } from './Frame';
import { useAsked } from './useAsked';

type Event = components['schemas']['Event'];

/** Places that are shown. */
const PLACES = 5;

/** While an event goes on, and before it, in milliseconds. */
const LIVE_MS = 15_000;
const AHEAD_MS = 60_000;

interface Place {
  key: string;
  rank: number | undefined;
  name: string;
  /** What the place is worth, in words. */
  worth: string;
}

async function loaded(eventId: string): Promise<{ event: Event; places: Place[] }> {
  const { event } = await ask('event', 'get_event_by_id', { eventId });
  const hasPlaces = event.eventState === 'started' || event.eventState === 'ended';
  return { event, places: hasPlaces ? await placesOf(event) : [] };
}

async function placesOf({ eventId, format }: Event): Promise<Place[]> {
  if (format !== 'arena') {
    const { standings } = await ask('event', 'get_standings', { eventId });
    return standings.slice(0, PLACES).map(({ rank, points, userId, ...person }) => ({
      key: userId,
      rank,
      name: nameOf(person),
      worth: points === 1 ? '1 point' : `${points} points`,
    }));
  }
  const { players } = await ask('player', 'get_leaderboard', { eventId, page: 1, limit: PLACES });
  return players.map(({ userId, rank, level, ...person }) => ({
    key: userId,
    rank,
    name: nameOf(person),
    worth: `level ${level}`,
  }));
}

function pauseAfter({ event: { eventState, concluded } }: { event: Event }): number | null {
  if (eventState === 'published') return AHEAD_MS;
  return eventState === 'started' || (eventState === 'ended' && !concluded) ? LIVE_MS : null;
}

/** A public event: what it is, when it is, who is ahead or has won. */
export function EmbedEvent({ eventId }: { eventId: string }) {
  const request = useCallback(() => loaded(eventId), [eventId]);
  const asked = useAsked(request, pauseAfter);
  if (typeof asked !== 'object') return <Nothing asked={asked} what="event" />;
  const { event, places } = asked.data;
  return (
    <Frame
      title={event.title}
      detail={
        <span className={classes.state} data-state={event.eventState}>
          {EVENT_STATE_LABELS[event.eventState]}
        </span>
      }
      to={`/app/events/view/${eventId}`}
    >
      <dl className={classes.times}>
        {eventTimesOf(event).map((time) => (
          <div key={time.name}>
            <dt>{time.name}</dt>
            <dd>{eventTimeText(time)}</dd>
          </div>
        ))}
        {event.prize !== undefined && event.prize !== '' && (
          <div>
            <dt>Prize</dt>
            <dd>{event.prize}</dd>
          </div>
        )}
      </dl>
      {places.length > 0 && (
        <ol className={classes.places} aria-label="Places">
          {places.map(({ key, rank, name, worth }) => (
            <li key={key}>
              <b>{rank}</b> <span>{name}</span> <small>{worth}</small>
            </li>
          ))}
        </ol>
      )}
    </Frame>
  );
}
