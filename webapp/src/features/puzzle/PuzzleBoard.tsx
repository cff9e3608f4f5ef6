import { Button } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { type Puzzle, type PuzzleShape, rowCol, type WrongMove } from '@/engine';
import { Board, MarkDrawing } from '@/shared/board';
import { celebrate } from '@/shared/confetti';
import { type PuzzleRecord, puzzleRecords, streakOf, UNTRIED, usePuzzleRecords } from '@/shared/puzzle/records';
import { cellText, type Mark, newGame, type RowCol, winLength } from '@/shared/rules';
import { AgainIcon, HintIcon } from '@/shared/ui/icons';
import { hintText } from './puzzleGame';
import classes from './PuzzlePage.module.css';
import { ShareButton } from './ShareButton';
import { movesToWin, shareText } from './shareText';
import { type Solving, usePuzzleGame } from './usePuzzle';

interface TableProps {
  board: ReactNode;
  /** Drawn before the title. */
  mark?: Mark | undefined;
  title: string;
  detail: string;
  state?: 'wrong' | 'solved' | undefined;
  actions: ReactNode;
}

/** Board, what is to be done, and the buttons: they stay where they are in every state. */
function Table({ board, mark, title, detail, state, actions }: TableProps) {
  return (
    <>
      <div className={classes.board}>
        <div>{board}</div>
      </div>
      <section className={classes.status} aria-label="Status" data-state={state}>
        <h2>
          {mark && (
            <span className={classes.mark} role="img" aria-label={mark}>
              <MarkDrawing mark={mark} />
            </span>
          )}
          {title}
        </h2>
        <p>{detail}</p>
      </section>
      <div className={classes.actions}>{actions}</div>
    </>
  );
}

interface UnmadeBoardProps {
  shape: PuzzleShape;
  hasFailed: boolean;
  onAgain: () => void;
}

/** The empty board while the puzzle is made, and where that failed. */
export function UnmadeBoard({ shape: { size }, hasFailed, onAgain }: UnmadeBoardProps) {
  return (
    <Table
      board={<Board size={size} cells={newGame(size).board} label={`Board of ${size} by ${size}`} disabled />}
      title={hasFailed ? 'No puzzle this time' : 'Setting up the board…'}
      detail={
        hasFailed ? 'This browser could not create the puzzle.' : 'It is created on your device from today’s date.'
      }
      actions={hasFailed && <Button onClick={onAgain}>Try again</Button>}
    />
  );
}

interface PuzzleBoardProps {
  puzzle: Puzzle;
  today: string;
  /** Solved before it was opened. */
  wasSolved: boolean;
}

export function PuzzleBoard({ puzzle, today, wasSolved }: PuzzleBoardProps) {
  const solving = usePuzzleGame(puzzle);
  const { game, state, hint } = solving;
  const { size, turn, day } = puzzle;
  const isSolved = state.kind === 'solved';
  useEffect(() => {
    if (isSolved && !wasSolved) void celebrate();
  }, [isSolved, wasSolved]);

  const record = usePuzzleRecords()[day] ?? UNTRIED;
  const { title, detail } = textOf(puzzle, solving, wasSolved ? null : record);
  const hinted = hint === 'cell' && state.kind === 'toMove' ? state.step.right[0]?.cell : undefined;
  const last = game.moves.at(-1);
  const played = last === undefined ? '' : `${game.board[last[0]]?.[last[1]]} played ${cellText(last)}. `;
  return (
    <Table
      board={
        <Board
          size={size}
          cells={game.board}
          label={`Board of ${size} by ${size}, you play ${turn}`}
          winningLine={game.winningLine}
          lastMove={toBoardCell(last)}
          hint={toBoardCell(hinted === undefined ? undefined : rowCol(size, hinted))}
          turn={turn}
          disabled={state.kind !== 'toMove'}
          onPlay={(row, col) => solving.play(row * size + col)}
          announcement={`${played}${state.kind === 'toMove' ? `${turn} ` : ''}${title}. ${detail}`}
        />
      }
      mark={state.kind === 'toMove' ? turn : undefined}
      title={title}
      detail={detail}
      state={state.kind === 'wrong' || isSolved ? state.kind : undefined}
      actions={
        isSolved ? (
          <>
            <ShareButton text={shareText(puzzle, record, streakOf(puzzleRecords(), today), window.location.origin)} />
            <Button variant="default" leftSection={<AgainIcon />} onClick={solving.restart}>
              Once more
            </Button>
          </>
        ) : state.kind === 'wrong' ? (
          <Button onClick={solving.takeBack}>Take it back</Button>
        ) : (
          <Button
            variant="default"
            leftSection={<HintIcon />}
            disabled={state.kind !== 'toMove' || hint === 'cell'}
            onClick={solving.askForHint}
          >
            {hint === 'none' ? 'Hint' : 'Show the move'}
          </Button>
        )
      }
    />
  );
}

function toBoardCell(place: RowCol | undefined) {
  return place === undefined ? null : { row: place[0], col: place[1] };
}

const WRONG: Record<WrongMove, { title: string; detail: string }> = {
  slower: { title: 'That wins, but more slowly', detail: 'There is a shorter way from here.' },
  draw: { title: 'Not that one', detail: 'After that, they can hold a draw.' },
  loss: { title: 'Not that one', detail: 'After that, they can even win.' },
};

/** What is said about it. `record` is null where the puzzle had been solved before. */
function textOf(
  { size }: Puzzle,
  { game, state, hint, pliesLeft }: Solving,
  record: PuzzleRecord | null,
): { title: string; detail: string } {
  switch (state.kind) {
    case 'solved':
      return { title: 'Solved!', detail: solvedText(record) };
    case 'wrong':
      return WRONG[state.leadsTo];
    case 'awaitsReply':
      return { title: 'Right!', detail: 'Now their answer…' };
    case 'toMove': {
      const isFirst = game.moves.length === 0;
      const title = `to move: win in ${movesToWin(pliesLeft)}`;
      const task = `${winLength(size)} in a row wins. ${isFirst ? 'Only one first move does it.' : 'Go on.'}`;
      return { title, detail: hint === 'none' ? task : hintText(pliesLeft) };
    }
  }
}

function solvedText(record: PuzzleRecord | null): string {
  if (record === null) return 'You have already solved this one. The next puzzle comes at midnight UTC.';
  const { misses, hints } = record;
  if (misses === 0 && hints === 0) return 'On the first try, without a hint.';
  const counted = [count(misses, 'wrong move'), count(hints, 'hint')].filter((each) => each !== null);
  return `With ${counted.join(' and ')}.`;
}

function count(number: number, thing: string): string | null {
  return number === 0 ? null : `${number} ${thing}${number === 1 ? '' : 's'}`;
}
