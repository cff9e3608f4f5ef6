import type { ReactNode } from 'react';
import type { Event } from '@/api/events';
import { dateTime, timeZone } from '@/shared/events/times';
import { Card } from '@/shared/ui/Card';
import classes from './EventDetails.module.css';

/** The details of an event, read-only. */
export function EventDetails({ event }: { event: Event }) {
  const { description, prize, eventType, startTime, endTime, startedAt, endedAt } = event;
  const { eventState, maxLosses, ratedOnOneNetwork, createdAt, updatedAt } = event;
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
        <Fact name="Prize">{prize || 'None'}</Fact>
        <Fact name="Type">
          {eventType === 'open' ? 'Open: anybody may join while it is live' : 'Closed: only who registered'}
        </Fact>
        <Fact name="Elimination">{elimination(maxLosses)}</Fact>
        <Fact name="One network">
          {ratedOnOneNetwork ? 'Games between its players are rated' : 'Games between its players are not rated'}
        </Fact>
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
