import { Link } from 'react-router';
import type { Event } from '@/api/events';
import { Announcements } from '@/shared/events/Announcements';
import { checkInText } from '@/shared/events/checkIn';
import { hostDeskPath, isHostOf } from '@/shared/events/host';
import { InvitePlayers } from '@/shared/events/InvitePlayers';
import { LiveGames } from '@/shared/events/LiveGames';
import { eventTimesOf, eventTimeText } from '@/shared/events/eventTimes';
import { timeZone } from '@/shared/events/times';
import { selectUser } from '@/shared/session/sessionSlice';
import { formatSentence, isStageEvent } from '@/shared/stages/formats';
import { NextMatchOf } from '@/shared/stages/NextMatchOf';
import { useOwnMatch } from '@/shared/stages/useOwnMatch';
import buttons from '@/shared/ui/buttons.module.css';
import { Card } from '@/shared/ui/Card';
import { EmbedCode } from '@/shared/ui/EmbedCode';
import { Countdown } from './Countdown';
import classes from './EventInfo.module.css';
import { Fact, FormatFacts } from './FormatFacts';
import { WhoCanEnter } from './WhoCanEnter';
import { WhoComes } from './WhoComes';
import { EventPanel } from './EventPanel';
import { EventActions } from './EventActions';
import { Winners } from './Winners';
import { useAppSelector } from '@/shared/storeHooks';

interface EventInfoProps {
  event: Event;
  /** Why the user was redirected here, if that is shown. */
  notice: string | null;
}

/** The description, times and actions of an event. */
export function EventInfo({ event, notice }: EventInfoProps) {
  const user = useAppSelector(selectUser);
  const { eventState, concluded, description, startTime, endTime, prize, signupCount } = event;
  const { gamesInPlay, maxPlayers } = event;
  const isStage = isStageEvent(event);
  const own = useOwnMatch(event, user?.userId ?? null);
  return (
    <div className={classes.columns}>
      <div className={classes.column}>
        <Announcements event={event} />
        {eventState === 'ended' && concluded && <Winners event={event} userId={user?.userId ?? null} />}
        <Card title="About">
          {description && <p className={classes.description}>{description}</p>}
          {isStage && <p>{formatSentence(event.format)}</p>}
          <dl className={classes.facts}>
            {eventTimesOf(event).map((time) => (
              <Fact key={time.name} name={time.name} value={eventTimeText(time)} />
            ))}
            {startTime !== undefined && <Fact name="Time zone" value={timeZone(new Date(startTime))} />}
            {prize && <Fact name="Prize" value={prize} />}
            <Fact name="Open to" value={openTo(event)} />
            <Fact
              name="Players"
              value={maxPlayers === undefined ? String(signupCount) : `${signupCount} of at most ${maxPlayers}`}
            />
            {event.checkInMinutes !== undefined && <Fact name="Check-in" value={checkInText(event)} />}
            <FormatFacts event={event} />
            {event.ratedOnOneNetwork && <Fact name="Rated" value="also between players on one network" />}
          </dl>
        </Card>
        <WhoCanEnter event={event} user={user} />
        {signupCount > 0 && user !== null && <WhoComes event={event} />}
        {!event.isPrivate && eventState !== 'drafted' && (
          <Card title="Share">
            <EmbedCode path={`/embed/event/${event.eventId}`} title={event.title} height={420} />
          </Card>
        )}
      </div>
      <div className={classes.column}>
        {/* A game under way is in the panel below. */}
        {isStage && user !== null && own !== null && own.kind !== 'playing' && (
          <NextMatchOf event={event} userId={user.userId} className={classes.panel} />
        )}
        <section className={classes.panel} aria-label="Taking part">
          {eventState === 'published' && startTime !== undefined && (
            <Countdown until={startTime} label="Starts in" over="Starting…" overdue="The planned start has passed." />
          )}
          {eventState === 'started' && endTime !== undefined && (
            <Countdown until={endTime} label="Ends in" over="Ending…" overdue="The planned end has passed." />
          )}
          {notice !== null && (
            <p className={classes.notice} role="status">
              {notice}
            </p>
          )}
          <EventPanel event={event} user={user} isOut={own?.kind === 'out' || own?.kind === 'withdrawn'} />
          <EventActions event={event} />
        </section>
        <InvitePlayers event={event}>
          {isHostOf(event, user) && (
            <Link to={hostDeskPath(event.eventId)} className={buttons.button}>
              Open your desk
            </Link>
          )}
        </InvitePlayers>
        {(eventState === 'started' || gamesInPlay > 0) && <LiveGames eventId={event.eventId} hasLevels={!isStage} />}
      </div>
    </div>
  );
}

function openTo({ eventType, isPrivate }: Event): string {
  if (isPrivate) return 'whoever has the join code';
  return eventType === 'open' ? 'everybody' : 'registered players';
}
