/** A game on one device: X and O in turn until a line or a full board. */

import { type BoardSize, type Line, type RowCol, winningLines } from './lines';

export type Mark = 'X' | 'O';
/** '' is an empty cell. */
export type Content = Mark | '';

export interface Game {
  readonly size: BoardSize;
  readonly starter: Mark;
  readonly board: readonly (readonly Content[])[];
  readonly moves: readonly RowCol[];
  /** Null once the game is over. */
  readonly turn: Mark | null;
  readonly winner: Mark | null;
  readonly winningLine: Line | null;
  readonly isDraw: boolean;
}

/** Why a move is not possible, by the server's codes. */
export type Refusal = 'game-over' | 'off-board' | 'cell-taken';

export function opposite(mark: Mark): Mark {
  return mark === 'X' ? 'O' : 'X';
}

export function newGame(size: BoardSize, starter: Mark = 'X'): Game {
  return {
    size,
    starter,
    board: Array.from({ length: size }, () => Array.from({ length: size }, () => '' as const)),
    moves: [],
    turn: starter,
    winner: null,
    winningLine: null,
    isDraw: false,
  };
}

/** The game after one more move, or why it is refused. */
export function play(game: Game, [row, col]: RowCol): Game | Refusal {
  const { turn } = game;
  if (turn === null) return 'game-over';
  const content = game.board[row]?.[col];
  if (content === undefined) return 'off-board';
  if (content !== '') return 'cell-taken';

  const board = game.board.map((cells, at) => (at === row ? cells.with(col, turn) : cells));
  const moves = [...game.moves, [row, col] as const];
  const winningLine = winningLines(game.size).find((line) => line.every(([r, c]) => board[r]?.[c] === turn)) ?? null;
  const isDraw = winningLine === null && moves.length === game.size ** 2;
  return {
    ...game,
    board,
    moves,
    turn: winningLine !== null || isDraw ? null : opposite(turn),
    winner: winningLine === null ? null : turn,
    winningLine,
    isDraw,
  };
}

/** The game after these moves from the start, or why one of them is refused. */
export function gameAfter(size: BoardSize, starter: Mark, moves: readonly RowCol[]): Game | Refusal {
  let game = newGame(size, starter);
  for (const move of moves) {
    const next = play(game, move);
    if (typeof next === 'string') return next;
    game = next;
  }
  return game;
}

/** The game some moves ago, at most back to its start. */
export function takenBack(game: Game, moves: number): Game {
  const kept = gameAfter(game.size, game.starter, game.moves.slice(0, Math.max(0, game.moves.length - moves)));
  // Moves that were legal before are legal again.
  return typeof kept === 'string' ? game : kept;
}
