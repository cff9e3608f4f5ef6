import { useEffect, useReducer } from 'react';
import type { Puzzle } from '@/engine';
import { dayAt } from '@/shared/puzzle/days';
import { notePuzzle } from '@/shared/puzzle/records';
import { type PuzzleGame, puzzleReducer, startPuzzle } from './puzzleGame';

/** The pause before a reply, in milliseconds. */
export const REPLY_MS = 550;

export type Solving = ReturnType<typeof usePuzzleGame>;

/** A puzzle being solved; mistakes, hints and the solution are noted. */
export function usePuzzleGame(puzzle: Puzzle) {
  const [current, dispatch] = useReducer(puzzleReducer, puzzle, startPuzzle);
  const { state } = current;
  const { day } = puzzle;

  useEffect(() => {
    if (state.kind !== 'awaitsReply') return;
    const pause = setTimeout(() => dispatch({ type: 'replied' }), REPLY_MS);
    return () => clearTimeout(pause);
  }, [state]);

  const play = (cell: number) => {
    const next = puzzleReducer(current, { type: 'played', cell });
    if (next.state.kind === 'wrong') notePuzzle(day, 'miss');
    if (next.state.kind === 'solved') notePuzzle(day, { solvedOn: dayAt(Date.now()) });
    dispatch({ type: 'played', cell });
  };
  const askForHint = () => {
    notePuzzle(day, 'hint');
    dispatch({ type: 'askedForHint' });
  };
  const takeBack = () => dispatch({ type: 'tookBack' });
  const restart = () => dispatch({ type: 'restarted', puzzle });
  return { ...current, pliesLeft: pliesLeft(puzzle, current), play, askForHint, takeBack, restart };
}

/** Plies from the move to be found to the last. */
function pliesLeft({ plies }: Puzzle, { game, state }: PuzzleGame): number {
  return plies - (state.kind === 'wrong' ? game.moves.length - 1 : game.moves.length);
}
