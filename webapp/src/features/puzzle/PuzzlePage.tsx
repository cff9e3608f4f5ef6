import { useState } from 'react';
import { Navigate, useParams } from 'react-router';
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
  const { day = today } = useParams();
  if (!isOffered(day, today)) return <Navigate to="/app/puzzle" replace />;
  return <Day key={day} day={day} today={today} createEngine={createEngine} />;
}

function Day({ day, today, createEngine }: Required<Props> & { day: string; today: string }) {
  const records = usePuzzleRecords();
  const { made, again } = useMadePuzzle(day, { createEngine });
  // Where the puzzle was not solved yet when it was opened, its solution is a moment.
  const [wasSolved] = useState(() => records[day]?.solvedOn != null);
  const shape = puzzleShape(day);
  return (
    <div className={classes.page}>
      <PageHeading title={day === today ? 'Puzzle of the day' : 'A past puzzle'}>
        {`${dayText(day, { weekday: 'long', day: 'numeric', month: 'long' })} · No. ${puzzleNumber(day)}`}
      </PageHeading>
      {typeof made === 'object' ? (
        <PuzzleBoard puzzle={made.puzzle} today={today} wasSolved={wasSolved} />
      ) : (
        <UnmadeBoard shape={shape} hasFailed={made === 'failed'} onAgain={again} />
      )}
      <div className={classes.aside}>
        <Streak records={records} today={today} />
        <Calendar records={records} day={day} today={today} />
      </div>
    </div>
  );
}
