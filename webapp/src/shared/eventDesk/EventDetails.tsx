import type { ReactNode } from 'react';
import type { Event } from '@/api/events';
import { checkInText, hereText } from '@/shared/events/checkIn';
import { entryLines } from '@/shared/events/entry';
import { dateTime, timeZone } from '@/shared/events/times';
import { NameLink } from '@/shared/people/PersonLink';
import { CLOCK_TEXTS } from '@/shared/quickMatch/wish';
import { eventBoardText, formatName } from '@/shared/stages/formats';
import { Card } from '@/shared/ui/Card';
import { useDeskOf } from './deskOf';
import classes from './EventDetails.module.css';

/** The details of an event, read-only. */
export function EventDetails({ event }: { event: Event }) {
  const { isHost } = useDeskOf();
  const { description, prize, startTime, endTime, startedAt, endedAt } = event;
  const conditions = entryLines(event);
  const { eventState, ratedOnOneNetwork, createdAt, updatedAt, maxPlayers, isPrivate, host } = event;
  return (
    <Card title="Event Details">
      {description !== '' && <p className={classes.description}>{description}</p>}
      <dl className={classes.facts}>
        <Fact name={startedAt === undefined ? 'Starts' : 'Planned start'}>
          <Moment at={startTime} />
        </Fact>
        <Fact name={endedAt === undefined ? 'Ends' : 'Planned end'}>
          <Moment at={endTime} />
        </Fact>
        {startedAt !== undefined && (
          <Fact name="Started">
            <Moment at={startedAt} />
          </Fact>
        )}
        {endedAt !== undefined && (
          <Fact name={eventState === 'cancelled' ? 'Cancelled' : 'Ended'}>
            <Moment at={endedAt} />
          </Fact>
        )}
        {host !== undefined && !isHost && (
          <Fact name="Host">
            <NameLink person={host} />
          </Fact>
        )}
        {(prize || !isPrivate) && <Fact name="Prize">{prize || 'None'}</Fact>}
        <Fact name="Type">{typeText(event)}</Fact>
        <FormatFacts event={event} />
        {maxPlayers !== undefined && <Fact name="Players">At most {maxPlayers}</Fact>}
        {event.checkInMinutes !== undefined && (
          <Fact name="Check-in">{[checkInText(event), hereText(event)].filter((each) => each !== '').join(' · ')}</Fact>
        )}
        {conditions.length > 0 && (
          <Fact name="Who can enter">
            {conditions.map(({ condition, text }) => (
              <div key={condition}>{text}</div>
            ))}
            {event.allowList !== undefined && <div>{`On the list: ${event.allowList.join(', ')}`}</div>}
          </Fact>
        )}
        {!isPrivate && (
          <Fact name="One network">
            {ratedOnOneNetwork ? 'Games between its players are rated' : 'Games between its players are not rated'}
          </Fact>
        )}
        <Fact name="Created">
          <Moment at={createdAt} />
        </Fact>
        <Fact name="Last changed">
          <Moment at={updatedAt} />
        </Fact>
      </dl>
      <p className={classes.zone}>Times are in {timeZone()}.</p>
    </Card>
  );
}

/** Who may come; brackets and tables are fixed at the start. */
function typeText({ eventType, isPrivate, format }: Event): string {
  if (isPrivate) return 'Private: whoever has the join code';
  if (eventType === 'closed') return 'Closed: only who registered';
  return format === 'knockout' || format === 'roundRobin'
    ? 'Open: anybody may register until it starts'
    : 'Open: anybody may join while it is live';
}

/** How it is played. */
function FormatFacts({ event }: { event: Event }) {
  const { format, clock, maxLosses, rounds, boardSize, matchGames, thirdPlace, doubleRounds, roundTimes = [] } = event;
  return (
    <>
      <Fact name="Format">{formatName(format)}</Fact>
      {format === 'arena' && <Fact name="Elimination">{elimination(maxLosses)}</Fact>}
      {format === 'swiss' && <Fact name="Rounds">{rounds ?? 'By the number of players'}</Fact>}
      <Fact name="Board">{eventBoardText(boardSize)}</Fact>
      <Fact name="Clock">{CLOCK_TEXTS[clock].label}</Fact>
      {matchGames !== undefined && (
        <Fact name="Match">{matchGames === 1 ? 'One game' : 'Two games, and a third at one all'}</Fact>
      )}
      {thirdPlace !== undefined && <Fact name="Third place">{thirdPlace ? 'Played for' : 'Not played for'}</Fact>}
      {doubleRounds !== undefined && <Fact name="Everybody meets">{doubleRounds ? 'Twice' : 'Once'}</Fact>}
      {roundTimes.map((time, nth) => (
        <Fact key={time} name={`Round ${nth + 2}, not before`}>
          <Moment at={time} />
        </Fact>
      ))}
    </>
  );
}

function elimination(maxLosses: number): string {
  if (maxLosses === 0) return 'Never';
  return maxLosses === 1 ? 'After 1 loss' : `After ${maxLosses} losses`;
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Moment({ at }: { at: string | undefined }) {
  return at === undefined ? 'Not set' : <time dateTime={at}>{dateTime(at)}</time>;
}
