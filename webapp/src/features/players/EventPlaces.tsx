import { Link } from 'react-router';
import type { PlayerProfile } from '@/api/players';
import buttons from '@/shared/ui/buttons.module.css';
import { Card } from '@/shared/ui/Card';
import classes from './PlayerPage.module.css';
import { count, day } from './texts';

type Place = PlayerProfile['events'][number];

/** The last events of a player, with the places. */
export function EventPlaces({ events, isOwn }: { events: Place[]; isOwn: boolean }) {
  return (
    <Card title="Events">
      {events.length === 0 ? (
        <>
          <p className={classes.soft}>{isOwn ? 'You have not been in an event yet.' : 'Not in an event yet.'}</p>
          {isOwn && (
            <Link to="/app/events" className={buttons.button}>
              See the events
            </Link>
          )}
        </>
      ) : (
        <ul className={classes.events}>
          {events.map((event) => (
            <li key={event.eventId}>
              <span className={classes.place} data-podium={(event.place ?? 9) <= 3}>
                {event.place ?? '–'}
                <span className="visually-hidden">{event.place === undefined ? 'no place' : '. place'}</span>
              </span>
              <span className={classes.about}>
                <Link to={`/app/events/view/${event.eventId}`}>{event.title}</Link>
                <small>{aboutText(event)}</small>
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function aboutText({ eventState, players, wins, losses, level, at }: Place): string {
  const when = eventState === 'started' ? 'live now' : at === undefined ? '' : day(at);
  const results = `${count(wins, 'win', 'wins')}, ${count(losses, 'loss', 'losses')}`;
  return [`of ${players}`, `level ${level}`, results, when].filter(Boolean).join(' · ');
}
