import { type Cell, type Puzzle, type PuzzleStep, rowCol, type WrongMove } from '@/engine';
import { type Game, newGame, play } from '@/shared/rules';

/** How far somebody is with a puzzle. */
export interface PuzzleGame {
  readonly game: Game;
  readonly state:
    | { readonly kind: 'toMove'; readonly step: PuzzleStep }
    /** A right move is on the board, and the reply follows. */
    | { readonly kind: 'awaitsReply'; readonly reply: Cell; readonly step: PuzzleStep }
    /** A wrong move is on the board until it is taken back. */
    | { readonly kind: 'wrong'; readonly leadsTo: WrongMove; readonly before: Game; readonly step: PuzzleStep }
    | { readonly kind: 'solved' };
  /** How much of the current move has been given away. */
  readonly hint: 'none' | 'words' | 'cell';
}

export type PuzzleEvent =
  | { type: 'played'; cell: Cell }
  | { type: 'replied' }
  | { type: 'tookBack' }
  | { type: 'askedForHint' }
  | { type: 'restarted'; puzzle: Puzzle };

export function startPuzzle(puzzle: Puzzle): PuzzleGame {
  const { size, turn, board } = puzzle;
  const cells = Array.from(board, (content) => (content === '.' ? '' : (content as 'X' | 'O')));
  const rows = Array.from({ length: size }, (_, row) => cells.slice(row * size, (row + 1) * size));
  const game: Game = { ...newGame(size, turn), board: rows };
  return { game, state: { kind: 'toMove', step: puzzle.step }, hint: 'none' };
}

export function puzzleReducer(current: PuzzleGame, event: PuzzleEvent): PuzzleGame {
  const { game, state } = current;
  switch (event.type) {
    case 'played':
      return state.kind === 'toMove' ? afterMove(game, state.step, event.cell, current) : current;
    case 'replied':
      if (state.kind !== 'awaitsReply') return current;
      return { game: moved(game, state.reply), state: { kind: 'toMove', step: state.step }, hint: 'none' };
    case 'tookBack':
      if (state.kind !== 'wrong') return current;
      return { ...current, game: state.before, state: { kind: 'toMove', step: state.step } };
    case 'askedForHint':
      return state.kind === 'toMove' ? { ...current, hint: current.hint === 'none' ? 'words' : 'cell' } : current;
    case 'restarted':
      return startPuzzle(event.puzzle);
  }
}

function afterMove(game: Game, step: PuzzleStep, cell: Cell, current: PuzzleGame): PuzzleGame {
  const wrong = step.wrong.find((move) => move.cell === cell);
  if (wrong !== undefined) {
    const state = { kind: 'wrong', leadsTo: wrong.leadsTo, before: game, step } as const;
    return { ...current, game: moved(game, cell), state };
  }
  const right = step.right.find((move) => move.cell === cell);
  // The board offers empty cells only, and each is one or the other.
  if (right === undefined) return current;
  const state = right.then === null ? ({ kind: 'solved' } as const) : ({ kind: 'awaitsReply', ...right.then } as const);
  return { game: moved(game, cell), state, hint: 'none' };
}

function moved(game: Game, cell: Cell): Game {
  const next = play(game, rowCol(game.size, cell));
  return typeof next === 'string' ? game : next;
}

/** The hint in words: what kind of move is looked for. */
export function hintText(pliesLeft: number): string {
  if (pliesLeft === 1) return 'Complete your line.';
  if (pliesLeft === 3) return 'Look for a move that opens two ways to win at once.';
  return 'Prepare it: whatever they answer, your next move must open two ways to win.';
}
