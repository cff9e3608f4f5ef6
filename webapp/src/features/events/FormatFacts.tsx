import type { Event } from '@/api/events';
import { dateTime } from '@/shared/events/times';
import { CLOCK_TEXTS } from '@/shared/quickMatch/wish';
import { eventBoardText, formatName, isStageEvent } from '@/shared/stages/formats';

/** How an event is played, as a part of a list of facts. */
export function FormatFacts({ event }: { event: Event }) {
  const { maxLosses, rounds, boardSize, matchGames, thirdPlace, doubleRounds, roundTimes = [] } = event;
  const board = <Fact name="Board" value={eventBoardText(boardSize)} />;
  const clock = <Fact name="Clock" value={CLOCK_TEXTS[event.clock].label} />;
  if (!isStageEvent(event)) {
    return (
      <>
        <Fact name="Out after" value={losses(maxLosses)} />
        {board}
        {clock}
      </>
    );
  }
  return (
    <>
      <Fact name="Format" value={formatName(event.format)} />
      {event.format === 'swiss' && rounds !== undefined && <Fact name="Rounds" value={String(rounds)} />}
      {event.format === 'roundRobin' && doubleRounds === true && <Fact name="Rounds" value="everybody meets twice" />}
      {board}
      {matchGames !== undefined && <Fact name="A match" value={games(matchGames)} />}
      {clock}
      {event.format === 'knockout' && thirdPlace === true && <Fact name="Third place" value="is played for" />}
      {roundTimes.map((time, nth) => (
        <Fact key={time} name={`Round ${nth + 2}`} value={`not before ${dateTime(time)}`} />
      ))}
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
