import type { Event } from '@/api/events';
import { formatName, isStageEvent } from '@/shared/stages/formats';

/** How an event is played, as a part of a list of facts. */
export function FormatFacts({ event }: { event: Event }) {
  const { maxLosses, rounds, boardSize, matchGames, thirdPlace, doubleRounds } = event;
  if (!isStageEvent(event)) return <Fact name="Out after" value={losses(maxLosses)} />;
  return (
    <>
      <Fact name="Format" value={formatName(event.format)} />
      {event.format === 'swiss' && rounds !== undefined && <Fact name="Rounds" value={String(rounds)} />}
      {event.format === 'roundRobin' && doubleRounds === true && <Fact name="Rounds" value="everybody meets twice" />}
      {boardSize !== undefined && <Fact name="Board" value={`${boardSize}×${boardSize}`} />}
      {matchGames !== undefined && <Fact name="A match" value={games(matchGames)} />}
      {event.format === 'knockout' && thirdPlace === true && <Fact name="Third place" value="is played for" />}
    </>
  );
}

function losses(maxLosses: number): string {
  if (maxLosses === 0) return 'nobody is eliminated';
  return maxLosses === 1 ? '1 loss' : `${maxLosses} losses`;
}

function games(matchGames: number): string {
  return matchGames === 1 ? '1 game' : `${matchGames} games, a third one at one all`;
}

export function Fact({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
}
