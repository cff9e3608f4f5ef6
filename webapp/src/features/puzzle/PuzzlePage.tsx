import { useState } from 'react';
import { Link, Navigate, useParams } from 'react-router';
import { puzzleShape } from '@/engine';
import { dayText, isOffered, puzzleNumber, useToday } from '@/shared/puzzle/days';
import { usePuzzleRecords } from '@/shared/puzzle/records';
import { browserEngine, type MakeEngine, useMadePuzzle } from '@/shared/puzzle/useMadePuzzle';
import { PageHeading } from '@/shared/ui/PageHeading';
import { Calendar } from './Calendar';
import { PuzzleBoard, UnmadeBoard } from './PuzzleBoard';
import classes from './PuzzlePage.module.css';
import { Streak } from './Streak';

interface Props {
  createEngine?: MakeEngine;
}

/** /app/puzzle/{day}, by default today's: docs/behaviour/play.md#daily-puzzle. */
export default function PuzzlePage({ createEngine = browserEngine }: Props) {
  const today = useToday();
  // A new day takes nobody's puzzle away.
  const [opened, setOpened] = useState(today);
  const { day = opened } = useParams();
  if (!isOffered(day, today)) return <Navigate to="/app/puzzle" replace />;
  return <Day key={day} day={day} today={today} onToday={() => setOpened(today)} createEngine={createEngine} />;
}

interface DayProps extends Required<Props> {
  day: string;
  today: string;
  onToday: () => void;
}

function Day({ day, today, onToday, createEngine }: DayProps) {
  const records = usePuzzleRecords();
  const { made, again } = useMadePuzzle(day, { createEngine });
  // Where the puzzle was not solved yet when it was opened, its solution is a moment.
  const [wasSolved] = useState(() => records[day]?.solvedOn != null);
  const shape = puzzleShape(day);
  return (
    <div className={classes.page}>
      <PageHeading title={day === today ? 'Puzzle of the day' : 'A past puzzle'}>
        {`${dayText(day, { weekday: 'long', day: 'numeric', month: 'long' })} · No. ${puzzleNumber(day)}`}
        {day !== today && (
          <>
            {' · '}
            <Link to="/app/puzzle" onClick={onToday}>
              Today’s puzzle
            </Link>
          </>
        )}
      </PageHeading>
      {typeof made === 'object' ? (
        <PuzzleBoard puzzle={made.puzzle} today={today} wasSolved={wasSolved} />
      ) : (
        <UnmadeBoard shape={shape} hasFailed={made === 'failed'} onAgain={again} />
      )}
      <div className={classes.aside}>
        <Streak records={records} today={today} />
        <Calendar records={records} day={day} today={today} onToday={onToday} />
      </div>
    </div>
  );
}
