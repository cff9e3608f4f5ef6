import type { CSSProperties } from 'react';
import { type StageRound, useGetRoundsQuery, useGetStandingsQuery } from '@/api/events';
import type { components } from '@/api/schema';
import { nameOf } from '@/shared/people/personSummary';
import { BracketColumns } from '@/shared/stages/BracketColumns';
import { bracketShape } from '@/shared/stages/bracketShape';
import { formatName, type StageEvent } from '@/shared/stages/formats';
import { currentRound, pointsText, roundName, undecidedIn } from '@/shared/stages/match';
import { stageRead } from '@/shared/stages/stageRead';
import { Loaded } from '@/shared/ui/Loaded';
import { ScreenClock, ScreenFact } from './ScreenClock';
import { ScreenHead } from './ScreenHead';
import classes from './ScreenPage.module.css';
import { ScreenPairings } from './ScreenPairings';
import { ScreenPlaces } from './ScreenPlaces';

type Rounds = components['schemas']['RoundsAnswer'];

/** Matches of a bracket's first column that are read from the back of a hall. */
const BRACKET_MATCHES = 4;
/** The match for the third place stands below the others, and takes as much room as so many of them. */
const THIRD_ROWS = 1.6;

/** An event in stage rounds: its bracket from the quarter-finals on, otherwise the matches of the round and the table. */
export function ScreenStage({ event }: { event: StageEvent }) {
  const { eventId, eventState } = event;
  const answer = useGetRoundsQuery({ eventId }, stageRead(eventState));
  return (
    <>
      <Head event={event} answer={answer.currentData} />
      <Loaded of={answer} loading="Loading the rounds…" failure="The rounds could not be loaded.">
        {(rounds) => <Shown event={event} answer={rounds} />}
      </Loaded>
    </>
  );
}

function Shown({ event, answer }: { event: StageEvent; answer: Rounds }) {
  const { rounds, expectedRounds } = answer;
  const round = currentRound(rounds);
  if (round === undefined)
    return <p className={classes.ahead}>The first round is paired once there are two players.</p>;
  if (event.format === 'knockout' && round.pairings.length <= BRACKET_MATCHES) return <ScreenBracket answer={answer} />;
  return (
    <div className={classes.columns}>
      <ScreenPairings
        key={round.round}
        title={`Matches of ${roundName(event.format, round.round, expectedRounds)}`}
        round={round}
      />
      {event.format !== 'knockout' && <Standings event={event} />}
    </div>
  );
}

function ScreenBracket({ answer: { rounds, expectedRounds } }: { answer: Rounds }) {
  const from = rounds.find(({ pairings }) => pairings.length <= BRACKET_MATCHES)?.round ?? 1;
  const shape = bracketShape(rounds, expectedRounds, from);
  const rows = (shape.rounds[0]?.matches.length ?? 1) + (shape.third === undefined ? 0 : THIRD_ROWS);
  return (
    <section className={classes.bracket} aria-label="Bracket" style={{ '--rows': rows } as CSSProperties}>
      <BracketColumns shape={shape} expectedRounds={expectedRounds} isStill />
    </section>
  );
}

function Standings({ event: { eventId, eventState } }: { event: StageEvent }) {
  const answer = useGetStandingsQuery({ eventId }, stageRead(eventState));
  return (
    <Loaded of={answer} loading="Loading the standings…" failure="The standings could not be loaded.">
      {({ standings }) => (
        <ScreenPlaces
          title="Standings"
          places={standings.map((standing) => ({
            ...standing,
            value: pointsText(standing.points),
            isOut: standing.withdrawn,
          }))}
        />
      )}
    </Loaded>
  );
}

interface HeadProps {
  event: StageEvent;
  /** Undefined until it is known. */
  answer: Rounds | undefined;
}

function Head({ event, answer }: HeadProps) {
  const { title, format } = event;
  const round = currentRound(answer?.rounds ?? []);
  const expectedRounds = answer?.expectedRounds ?? 0;
  const name = round === undefined ? '' : roundName(format, round.round, expectedRounds);
  const of = format === 'knockout' || name === '' ? '' : ` of ${expectedRounds}`;
  return (
    <ScreenHead
      title={title}
      about={[formatName(format), ...(name === '' ? [] : [name + of])].join(' · ')}
      clock={<Clock event={event} round={round} name={name} />}
    />
  );
}

interface ClockProps {
  event: StageEvent;
  round: StageRound | undefined;
  /** Of the round. */
  name: string;
}

function Clock({ event, round, name }: ClockProps) {
  const { eventState, concluded, paused, winners } = event;
  const [winner] = winners;
  if (eventState === 'ended') {
    if (!concluded) return <ScreenFact label="The event has ended" value="Results to come" />;
    return <ScreenFact label="Winner" value={winner === undefined ? 'Nobody' : nameOf(winner)} />;
  }
  if (paused === true) return <ScreenFact label="" value="Paused" />;
  if (round?.startsAt === undefined) return null;
  const left = undecidedIn(round);
  const toGo = left === 0 ? 'Next round soon' : `${left} ${left === 1 ? 'match' : 'matches'} to go`;
  if (round.state !== 'planned') return <ScreenFact label="" value={toGo} />;
  return <ScreenClock label={`${name} begins in`} until={round.startsAt} over={toGo} />;
}
