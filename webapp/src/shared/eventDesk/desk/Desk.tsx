import { type Event, useGetRoundsQuery } from '@/api/events';
import { nameOf } from '@/shared/people/personSummary';
import { stageRead } from '@/shared/stages/stageRead';
import { Card } from '@/shared/ui/Card';
import { Loaded } from '@/shared/ui/Loaded';
import { useDeskOf } from '../deskOf';
import type { SignUps } from '../useSignUpsOf';
import classes from './Desk.module.css';
import { DeskPlayers } from './DeskPlayers';
import { DeskRounds } from './DeskRounds';
import { PauseRounds } from './PauseRounds';

/** The director's desk of an event in stage rounds: its matches, its players, and what can be done about them. */
export function Desk({ event, people }: { event: Event; people: SignUps }) {
  const { eventId, eventState, concluded, winners } = event;
  const { isHost } = useDeskOf();
  const isLive = eventState === 'started';
  const answer = useGetRoundsQuery({ eventId }, stageRead(eventState));
  return (
    <>
      <Card title="Director’s Desk">
        {winners.length > 0 && (
          <p>
            <strong>{winners.length === 1 ? 'Winner' : 'Winners'}:</strong> {winners.map(nameOf).join(', ')}
          </p>
        )}
        {isLive && <PauseRounds event={event} />}
        <Loaded of={answer} loading="Loading rounds..." failure="Failed to load the rounds">
          {({ rounds, expectedRounds }) =>
            rounds.length === 0 ? (
              <p>{isLive ? 'The first round is paired once two players are in.' : 'No round was played.'}</p>
            ) : (
              <DeskRounds event={event} rounds={rounds} expectedRounds={expectedRounds} people={people} />
            )
          }
        </Loaded>
        {concluded && (
          <p className={classes.note}>
            {isHost
              ? 'The winners are final.'
              : 'The winners are final. Reopen the event to correct the result of a match.'}
          </p>
        )}
      </Card>
      <DeskPlayers event={event} />
    </>
  );
}
