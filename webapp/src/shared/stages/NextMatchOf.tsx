import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { type StageRound, type StageStanding, useGetRoundsQuery, useGetStandingsQuery } from '@/api/events';
import type { components } from '@/api/schema';
import { minutesLeft, useNow } from '../events/countdown';
import { dayTime } from '../events/times';
import { gamePath } from '../events/postGameRedirect';
import { PersonLabel } from '../people/PersonLabel';
import { nameOf } from '../people/personSummary';
import { ifKnown, Loaded } from '../ui/Loaded';
import { COUNTED_DOWN, isUnderWay, namesOf, ordinal, otherMatches, roundName, scoreOf } from './match';
import type { StageEvent, StageFormat } from './formats';
import classes from './NextMatchOf.module.css';
import { type OwnMatch, ownMatch } from './ownMatch';
import { stageRead } from './stageRead';

interface NextMatchOfProps {
  event: StageEvent;
  userId: string;
  className?: string | undefined;
}

/** The present or next match of a player of an event in stage rounds, or what they wait for. */
export function NextMatchOf({ event, userId, className }: NextMatchOfProps) {
  const { eventId, eventState } = event;
  const rounds = useGetRoundsQuery({ eventId }, stageRead(eventState));
  const [standing] = ifKnown(useGetStandingsQuery({ eventId, userId }, stageRead(eventState)))?.standings ?? [];
  return (
    <section className={`${classes.next ?? ''} ${className ?? ''}`} aria-label="Your match" aria-live="polite">
      <Loaded of={rounds} loading="Looking for your match…" failure="Your match could not be loaded.">
        {(answer) => <Match event={event} userId={userId} answer={answer} standing={standing} />}
      </Loaded>
    </section>
  );
}

interface MatchProps {
  event: StageEvent;
  userId: string;
  answer: components['schemas']['RoundsAnswer'];
  standing: StageStanding | undefined;
}

function Match({ event, userId, answer: { rounds, expectedRounds }, standing }: MatchProps) {
  const { format, eventState } = event;
  const isOver = eventState === 'ended' || eventState === 'cancelled';
  const own = ownMatch({ format, rounds, expectedRounds, isOver, standing, userId });
  switch (own.kind) {
    case 'over':
      return <Over event={event} standing={standing} />;
    case 'ahead':
    case 'playing':
    case 'between':
      return <AgainstOpponent own={own} event={event} userId={userId} expectedRounds={expectedRounds} />;
    default:
      return <Waiting own={own} event={event} next={nextRoundText(rounds, format, expectedRounds)} />;
  }
}

function Over({ event: { concluded, eventState }, standing }: Pick<MatchProps, 'event' | 'standing'>) {
  if (eventState === 'cancelled') return <h2>The event was cancelled</h2>;
  if (standing === undefined) return <h2>The event has ended</h2>;
  const place = ordinal(standing.rank);
  return concluded ? (
    <h2>{`You finished ${place}`}</h2>
  ) : (
    <>
      <h2>{`You are ${place}`}</h2>
      <p>The event has ended, and its results are being checked.</p>
    </>
  );
}

interface AgainstOpponentProps extends Pick<MatchProps, 'event' | 'userId'> {
  own: Extract<OwnMatch, { kind: 'ahead' | 'playing' | 'between' }>;
  expectedRounds: number;
}

function AgainstOpponent({ own, event: { format, paused }, userId, expectedRounds }: AgainstOpponentProps) {
  const { round, pairing, opponent } = own;
  const score = scoreOf(pairing);
  const begins = pairing.players[0]?.userId === userId;
  return (
    <>
      <h2>{own.kind === 'playing' ? 'Your game is on!' : `You play ${nameOf(opponent)}`}</h2>
      <p className={classes.opponent}>
        <PersonLabel person={opponent} size={48} />
        <small>{`Seed ${opponent.seed}`}</small>
      </p>
      <p>
        {[
          roundName(format, round.round, expectedRounds),
          `board ${pairing.board}`,
          ...(score === undefined ? [begins ? 'you begin the first game' : 'they begin the first game'] : [score]),
        ].join(', ')}
      </p>
      {own.kind === 'ahead' && (
        <Opening
          name={roundName(format, round.round, expectedRounds)}
          startsAt={round.startsAt}
          isHeld={paused === true && !isUnderWay(round)}
        />
      )}
      {own.kind === 'between' && <p className={classes.state}>The next game of your match is about to open.</p>}
      {own.kind === 'playing' && (
        <Button size="md" component={Link} to={gamePath(own.gameId)}>
          Return to your game
        </Button>
      )}
    </>
  );
}

interface OpeningProps {
  /** Of the round. */
  name: string;
  startsAt: string | undefined;
  isHeld: boolean;
}

function Opening({ name, startsAt, isHeld }: OpeningProps) {
  const now = useNow();
  const left = startsAt === undefined ? 0 : Date.parse(startsAt) - now;
  if (isHeld) return <p className={classes.state}>{PAUSED}</p>;
  if (left <= 0) return <p className={classes.state}>Your game opens as soon as you are both here.</p>;
  const time = minutesLeft(left);
  return (
    <>
      {left > COUNTED_DOWN ? (
        <p className={classes.state}>{`${name} begins at ${dayTime(now + left)}.`}</p>
      ) : (
        <p className={classes.count} role="timer" aria-label={`Your game opens in ${time}`}>
          {time}
        </p>
      )}
      <p>Your game opens by itself. Whoever is not there a minute later loses the match.</p>
    </>
  );
}

const PAUSED = 'The organisers have paused the event. The next round begins when they resume it.';

interface WaitingProps extends Pick<MatchProps, 'event'> {
  own: Exclude<OwnMatch, { kind: 'over' | 'ahead' | 'playing' | 'between' }>;
  /** When the next round begins; empty where that has no fixed time. */
  next: string;
}

/** `Round 3 begins at 10:00 AM.`, of the first round ahead with a fixed time; empty where there is none. */
function nextRoundText(rounds: readonly StageRound[], format: StageFormat, expectedRounds: number): string {
  const ahead = rounds.find(({ state }) => state === 'planned');
  if (ahead?.notBefore === undefined) return '';
  const at = Date.parse(ahead.notBefore);
  return at > Date.now() ? `${roundName(format, ahead.round, expectedRounds)} begins at ${dayTime(at)}.` : '';
}

/** What a player without a game waits for. */
function Waiting({ own, event, next }: WaitingProps) {
  const { title, text } = wordsOf(own, event);
  return (
    <>
      <h2>{title}</h2>
      {text !== '' && <p>{text}</p>}
      {own.kind !== 'early' && <p className={classes.state}>{othersText(own, event)}</p>}
      {next !== '' && own.kind !== 'out' && own.kind !== 'withdrawn' && <p>{next}</p>}
    </>
  );
}

function wordsOf(own: WaitingProps['own'], { format }: StageEvent): { title: string; text: string } {
  switch (own.kind) {
    case 'early':
      return { title: 'The event is about to begin', text: 'The first round is paired once there are two players.' };
    case 'unpaired':
      return {
        title: 'You have no match in this round',
        text: own.isLast ? '' : 'You are paired as soon as it is over.',
      };
    case 'bye':
      return { title: 'You have a bye this round', text: BYES[format] };
    case 'out':
      return { title: 'You are out', text: 'Well played! You can watch the others to the end.' };
    case 'withdrawn':
      if (own.disqualification !== undefined) return { title: 'You are disqualified', text: own.disqualification };
      return { title: 'You were withdrawn', text: 'An organiser can let you play again from the next round on.' };
    case 'decided':
      return { title: own.hasWon ? 'You won your match' : 'You lost your match', text: nextText(own) };
  }
}

const BYES: Record<StageFormat, string> = {
  knockout: 'You are through to the next round.',
  swiss: 'It counts as a match won.',
  roundRobin: 'Everybody has one in turn.',
};

function nextText({ next, hasWon }: Extract<OwnMatch, { kind: 'decided' }>): string {
  if (next === undefined) return '';
  if (!('board' in next)) return `Next you play ${nameOf(next)}.`;
  return `Next you meet whoever ${hasWon ? 'wins' : 'loses'} ${namesOf(next)}.`;
}

function othersText(own: Exclude<WaitingProps['own'], { kind: 'early' }>, { paused }: StageEvent): string {
  const { kind, others, isLast } = own;
  const decided = kind === 'decided' ? 'Your match is decided' : '';
  if (others > 0) {
    if (decided !== '') return `${decided}: waiting for ${otherMatches(others)}.`;
    return `${others === 1 ? '1 match of this round is' : `${others} matches of this round are`} not decided yet.`;
  }
  if (isLast) return [decided, 'The event is about to end.'].filter(Boolean).join('. ');
  return paused === true ? PAUSED : 'The next round is about to be paired.';
}
