import { roughly, useNow } from '@/shared/events/countdown';
import { untilNextDay } from '@/shared/puzzle/days';
import { bestStreak, type PuzzleRecords, streakOf } from '@/shared/puzzle/records';
import { Tally } from '@/shared/ui/Tally';
import classes from './PuzzlePage.module.css';

interface StreakProps {
  records: PuzzleRecords;
  today: string;
}

/** The streak in strokes, the best one, and when the next puzzle comes. */
export function Streak({ records, today }: StreakProps) {
  const now = useNow();
  const streak = streakOf(records, today);
  const solved = Object.values(records).filter(({ solvedOn }) => solvedOn !== null).length;
  return (
    <section className={classes.streak} aria-labelledby="streak">
      <h2 id="streak">
        Streak
        {streak === 0 ? <span className={classes.none}>none yet</span> : <Tally count={streak} of="day" />}
      </h2>
      <dl>
        <div>
          <dt>Best</dt>
          <dd>{bestStreak(records, today)}</dd>
        </div>
        <div>
          <dt>Solved</dt>
          <dd>{solved}</dd>
        </div>
        <div>
          <dt>Next puzzle in</dt>
          <dd>{roughly(untilNextDay(now))}</dd>
        </div>
      </dl>
      <p>A day counts if you solve its puzzle on that day (UTC). Your progress is kept on this device only.</p>
    </section>
  );
}
