import { Button } from '@mantine/core';
import { useId } from 'react';
import { Link } from 'react-router';
import type { Event, EventState } from '@/api/events';
import type { Game } from '@/realtime/protocol';
import { EventBadge, PrivateBadge } from '@/shared/events/EventBadge';
import { eventTimesOf } from '@/shared/events/eventTimes';
import { dateTime } from '@/shared/events/times';
import { nameOf } from '@/shared/people/personSummary';
import { selectUser } from '@/shared/session/sessionSlice';
import { formatName, isStageEvent } from '@/shared/stages/formats';
import { eventPath, gamePath } from '@/shared/events/postGameRedirect';
import classes from './EventCard.module.css';
import { Fact } from './FormatFacts';
import { useAppSelector } from '@/shared/storeHooks';

/** Labels of states in the list; other states are shown by name. */
const BADGES: Partial<Record<EventState, string>> = { published: 'Register', started: 'Live', cancelled: 'Cancelled' };
const BUTTONS: Partial<Record<EventState, string>> = { published: 'Register Now', started: 'Join Event' };

interface EventCardProps {
  event: Event;
  /** The user's running game in the event. */
  ownGame: Game | undefined;
  /** The user has signed up. */
  isSignedUp?: boolean;
}

/** An event in the players' list. */
export function EventCard({ event, ownGame, isSignedUp = false }: EventCardProps) {
  const { eventId, eventState, title, description, prize, winners, concluded, isPrivate, host } = event;
  const [first] = winners;
  const id = useId();
  const isGuest = useAppSelector(selectUser)?.isTempUser ?? false;
  return (
    <article className={classes.card} aria-labelledby={id} data-state={eventState}>
      <div className={classes.head}>
        <h2 id={id}>{title}</h2>
        <span className={classes.badges}>
          {isPrivate && <PrivateBadge />}
          <EventBadge state={eventState}>
            {(isSignedUp && eventState === 'published' ? 'Signed up' : BADGES[eventState]) ?? eventState}
          </EventBadge>
        </span>
      </div>
      {description && <p className={classes.description}>{description}</p>}
      <dl className={classes.facts}>
        {eventTimesOf(event).map(({ name, at }) => (
          <Fact key={name} name={name} value={dateTime(at)} />
        ))}
        {isStageEvent(event) && <Fact name="Format" value={formatName(event.format)} />}
        {host !== undefined && <Fact name="Host" value={nameOf(host)} />}
        {prize && <Fact name="Prize" value={prize} />}
        {eventState === 'ended' && !concluded && <Fact name="Winner" value="To be decided" />}
        {eventState === 'ended' && concluded && (
          <Fact name="Winner" value={first === undefined ? 'Nobody won it.' : nameOf(first)} />
        )}
      </dl>
      {eventState === 'cancelled' ? (
        <Button disabled>Event Cancelled</Button>
      ) : ownGame !== undefined ? (
        <Button component={Link} to={gamePath(ownGame.gameId)} aria-describedby={id}>
          Return to your game
        </Button>
      ) : (
        <Button component={Link} to={eventPath(eventId)} aria-describedby={id}>
          {(isGuest || (isSignedUp && eventState === 'published') ? undefined : BUTTONS[eventState]) ?? 'View Details'}
        </Button>
      )}
    </article>
  );
}
