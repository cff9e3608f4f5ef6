import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { puzzleShape } from '@/engine/puzzleDay';
import { StillBoard } from '@/shared/board';
import { puzzleNumber, useToday } from '@/shared/puzzle/days';
import { streakOf, usePuzzleRecords } from '@/shared/puzzle/records';
import { useMadePuzzle } from '@/shared/puzzle/useMadePuzzle';
import { selectUser } from '@/shared/session/sessionSlice';
import { useAppSelector } from '@/shared/storeHooks';
import buttons from '@/shared/ui/buttons.module.css';
import { Card } from '@/shared/ui/Card';
import { Tally } from '@/shared/ui/Tally';
import classes from './PuzzleCard.module.css';

/** Home's own requests come first, in milliseconds. */
const AFTER_MS = 800;

/** The puzzle of the day as it stands, and the streak. */
export function PuzzleCard() {
  // The build renders Home for everybody, on another day.
  const isBuilt = useAppSelector(selectUser) === null;
  return <Card title="Puzzle of the day">{isBuilt ? <AnyDay /> : <Today />}</Card>;
}

function AnyDay() {
  return (
    <Puzzle
      board={<StillBoard size={4} board="" />}
      title="Find the one move"
      about="A new one each day"
      streak={<span className={classes.soft}>{streakText(0, false)}</span>}
      isSolved={false}
    />
  );
}

function Today() {
  const today = useToday();
  const records = usePuzzleRecords();
  const { made } = useMadePuzzle(today, { afterMs: AFTER_MS });
  const { size, plies } = puzzleShape(today);
  const streak = streakOf(records, today);
  const isSolved = records[today]?.solvedOn != null;
  return (
    <Puzzle
      board={<StillBoard size={size} board={typeof made === 'object' ? made.puzzle.board : ''} />}
      title={isSolved ? 'Solved for today' : `Win in ${(plies + 1) / 2} moves`}
      about={`No. ${puzzleNumber(today)} · ${size}×${size}`}
      streak={
        <>
          <Tally count={streak} of="day" />
          <span className={classes.soft}>{streakText(streak, isSolved)}</span>
        </>
      }
      isSolved={isSolved}
    />
  );
}

interface PuzzleProps {
  board: ReactNode;
  title: string;
  about: string;
  streak: ReactNode;
  isSolved: boolean;
}

function Puzzle({ board, title, about, streak, isSolved }: PuzzleProps) {
  return (
    <div className={classes.puzzle}>
      <Link to="/app/puzzle" className={classes.board} aria-hidden="true" tabIndex={-1}>
        {board}
      </Link>
      <div className={classes.words}>
        <p>
          <strong>{title}</strong>
          <span className={classes.soft}>{about}</span>
        </p>
        <p className={classes.streak}>{streak}</p>
        <Link to="/app/puzzle" className={isSolved ? buttons.button : buttons.primary}>
          {isSolved ? 'Past puzzles' : 'Solve it'}
        </Link>
      </div>
    </div>
  );
}

function streakText(streak: number, isSolved: boolean): string {
  if (streak === 0) return 'Solve it today and a streak begins.';
  const days = streak === 1 ? 'One day' : `${streak} days`;
  return isSolved ? `${days} in a row` : `${days} so far: keep it up`;
}
