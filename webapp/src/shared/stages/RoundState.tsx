import type { StageRound } from '@/api/events';
import { minutesLeft, useNow } from '../events/countdown';
import { dayTime } from '../events/times';
import { COUNTED_DOWN, fixedBegin, isUnderWay, undecidedIn } from './match';
import classes from './RoundState.module.css';

interface RoundStateProps {
  round: StageRound;
  /** No further round begins until the event is resumed. */
  isPaused: boolean;
}

/** How far a round is: when its games open, how many matches are left. */
export function RoundState({ round, isPaused }: RoundStateProps) {
  const now = useNow();
  const left = round.startsAt === undefined ? 0 : Date.parse(round.startsAt) - now;
  const isHeld = isPaused && round.state !== 'ended' && !isUnderWay(round);
  return (
    <p className={classes.state}>
      {!isHeld && left > 0 ? <Opens left={left} now={now} /> : stateText(round, isHeld, now)}
    </p>
  );
}

function Opens({ left, now }: { left: number; now: number }) {
  if (left > COUNTED_DOWN) return `Games open at ${dayTime(now + left)}.`;
  const time = minutesLeft(left);
  return (
    <>
      Games open in{' '}
      <b role="timer" aria-label={`Games open in ${time}`}>
        {time}
      </b>
    </>
  );
}

function stateText(round: StageRound, isHeld: boolean, now: number): string {
  const { state, startsAt, pairings } = round;
  if (state === 'ended') return 'All matches are decided.';
  if (isHeld) return 'The organisers have paused the event. This round begins when they resume it.';
  const begins = fixedBegin(round, now);
  if (begins !== undefined) return `Not paired yet. It begins at ${dayTime(begins)} or later.`;
  if (startsAt === undefined) return 'Not paired yet.';
  const decided = pairings.length - undecidedIn(round);
  return `${decided} of ${pairings.length} ${pairings.length === 1 ? 'match' : 'matches'} decided.`;
}
