import type { Event } from '@/api/events';
import { EVENT_STATE_LABELS } from '@/shared/events/eventState';
import { dateTime } from '@/shared/events/times';
import { formatName, formatSentence } from '@/shared/stages/formats';
import { ScreenClock, ScreenFact } from './ScreenClock';
import { ScreenHead } from './ScreenHead';
import classes from './ScreenPage.module.css';

/** An event that has not started, or was cancelled: what it is, when it starts, how many have signed up. */
export function ScreenAhead({ event }: { event: Event }) {
  const { title, format, eventState, startTime, description, signupCount } = event;
  const isAhead = eventState === 'published' && startTime !== undefined;
  return (
    <>
      <ScreenHead
        title={title}
        about={formatName(format)}
        clock={
          isAhead ? (
            <ScreenClock label="Starts in" until={startTime} over="Starting…" />
          ) : (
            <ScreenFact label="" value={EVENT_STATE_LABELS[eventState]} />
          )
        }
      />
      <div className={classes.ahead}>
        <p className={classes.big}>{`${signupCount} ${signupCount === 1 ? 'player has' : 'players have'} signed up`}</p>
        {isAhead && <p>{dateTime(startTime)}</p>}
        <p>{formatSentence(format)}</p>
        {description && <p className={classes.description}>{description}</p>}
      </div>
    </>
  );
}
