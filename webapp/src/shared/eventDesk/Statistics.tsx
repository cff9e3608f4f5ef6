import { type Event, useGamesByEventQuery, useSpectatableGamesQuery } from '@/api/events';
import { Card } from '@/shared/ui/Card';
import { LoadFailure } from '@/shared/ui/LoadFailure';
import { signUpFailure } from './failures';
import { GrowthPlot, LevelPlot } from './plots';
import classes from './Statistics.module.css';
import { countByLevel, growthOf } from './statistics';
import { MAX_LOADED, type SignUps } from './useSignUpsOf';
import { ifKnown } from '@/shared/ui/Loaded';

/** Statistics of an event: registrations over time before the start, players by level afterwards. */
export function Statistics({ event, people }: { event: Event; people: SignUps }) {
  const { eventId, eventState, signupCount, format } = event;
  const isPlayed = eventState === 'started' || eventState === 'ended';
  const { signUps, error, isCut, refetch } = people;
  const games = ifKnown(useGamesByEventQuery({ eventId, page: 1, limit: 1 }, { skip: !isPlayed }));
  const live = ifKnown(useSpectatableGamesQuery(eventId, { skip: !isPlayed }));
  // Matches of stage rounds have no levels.
  const hasLevels = format === 'arena';
  const eliminated = signUps.filter(({ status }) => status === 'eliminated').length;
  const levels = countByLevel(signUps);
  return (
    <Card title="Statistics">
      <dl className={classes.figures}>
        <Figure name="Registered" value={signupCount} />
        {isPlayed && (
          <>
            {hasLevels && <Figure name="Eliminated" value={eliminated} />}
            {hasLevels && <Figure name="Top level" value={levels.length} />}
            <Figure name="Games" value={games?.pagination.totalCount} />
            {eventState === 'started' && <Figure name="Live games" value={live?.pagination.totalCount} />}
          </>
        )}
      </dl>
      {error !== undefined && signUps.length === 0 ? (
        <LoadFailure text={signUpFailure(error)} onRetry={refetch} />
      ) : (
        signUps.length > 1 &&
        (isPlayed && hasLevels ? <LevelPlot levels={levels} /> : <GrowthPlot growth={growthOf(signUps)} />)
      )}
      {isCut && <p className={classes.note}>Of the first {MAX_LOADED} who registered.</p>}
    </Card>
  );
}

function Figure({ name, value }: { name: string; value: number | undefined }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value ?? '–'}</dd>
    </div>
  );
}
