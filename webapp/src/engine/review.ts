/** The review of a finished (or running) game, move by move. */

import type { Budget } from './effort.ts';
import type { Size } from './geometry.ts';
import { type Cell, isOver, type Mark, play, positionAfter, type Position, winner } from './position.ts';
import { type Judgement, negated, type Solution, type Solver, type Value } from './solver.ts';

export type MoveLabel =
  | 'kept-win'
  | 'kept-draw'
  /** The only one that kept the win or the draw, where there was a choice. */
  | 'only-move'
  /** From a win to a draw or a loss. */
  | 'threw-win'
  /** From a draw to a loss. */
  | 'threw-draw'
  /** Lost whatever is played. */
  | 'lost-already'
  | 'unproven';

export interface ReviewedMove {
  /** 1 for the first move. */
  readonly ply: number;
  readonly cell: Cell;
  readonly mark: Mark;
  readonly label: MoveLabel;
  /** For whoever made the move: with best play, and with the move made. */
  readonly before: Judgement;
  readonly after: Judgement;
  /** The moves proven to keep the value. */
  readonly best: readonly Cell[];
  /** Best play after this move, to be shown on the board: it demonstrates the move's value. */
  readonly line: readonly Cell[];
  /** Best play instead of this move, where it threw something away. */
  readonly better: readonly Cell[];
}

export interface Review {
  readonly size: Size;
  readonly first: Mark;
  readonly moves: readonly ReviewedMove[];
  /** The value for X before the first move and after each move: 1 a win, 0 a draw, -1 a loss, null unproven. */
  readonly series: readonly (number | null)[];
}

/**
 * Reviews a game from the empty board, move by move, so that a worker can do other work in between; returns the whole at
 * the end. The budget is for each position; the lines of a move take at most the same again for each of their moves.
 * @throws InvalidPosition when a move is impossible.
 */
export function* reviewMoves(
  solver: Solver,
  moves: readonly Cell[],
  first: Mark,
  budget: Budget,
): Generator<ReviewedMove, Review> {
  let position = positionAfter(solver.size, [], first);
  const reviewed: ReviewedMove[] = [];
  const series: (number | null)[] = [];
  for (const cell of moves) {
    const next = play(position, cell);
    const solution = solver.solve(position, budget);
    const move = reviewMove(solver, position, next, cell, reviewed.length + 1, solution, budget);
    series.push(worthForX(position.turn, solution));
    reviewed.push(move);
    position = next;
    yield move;
  }
  series.push(worthForX(position.turn, valueNow(solver, position, budget)));
  return { size: solver.size, first, moves: reviewed, series };
}

function reviewMove(
  solver: Solver,
  position: Position,
  next: Position,
  cell: Cell,
  ply: number,
  solution: Solution,
  budget: Budget,
): ReviewedMove {
  const { value, proven, plies, best } = solution;
  const after = solution.moves.find((move) => move.cell === cell)!;
  const label = labelOf(solution, after, cell);
  const threw = label === 'threw-win' || label === 'threw-draw';
  return {
    ply,
    cell,
    mark: position.turn,
    label,
    before: { value, proven, plies },
    after: { value: after.value, proven: after.proven, plies: after.plies },
    best,
    line: principalVariation(solver, next, budget),
    better: threw ? principalVariation(solver, position, budget) : [],
  };
}

function labelOf({ value, proven, best, moves }: Solution, after: Judgement, cell: Cell): MoveLabel {
  if (!proven || !after.proven) return 'unproven';
  if (after.value !== value) return value === 'win' ? 'threw-win' : 'threw-draw';
  if (value === 'loss') return 'lost-already';
  const othersFail = moves.every((move) => move.cell === cell || (move.proven && move.value !== value));
  if (moves.length > 1 && best.length === 1 && othersFail) return 'only-move';
  return value === 'win' ? 'kept-win' : 'kept-draw';
}

/**
 * Best play on both sides from a position to the end of the game: the winner hurries, the loser delays. Ends early where
 * the budget, which is for each move, leaves a value unproven, and, in a draw, as soon as nobody can win any more.
 */
export function principalVariation(solver: Solver, from: Position, budget: Budget): Cell[] {
  const line: Cell[] = [];
  let position = from;
  while (!isOver(position)) {
    const cell = solver.bestMove(position, budget);
    if (cell === null) break;
    line.push(cell);
    position = play(position, cell);
  }
  return line;
}

function valueNow(solver: Solver, position: Position, budget: Budget): Judgement {
  if (!isOver(position)) return solver.value(position, budget);
  return {
    value: winner(position) === null ? 'draw' : 'loss',
    proven: true,
    plies: winner(position) === null ? null : 0,
  };
}

const POINTS: Record<Value, number> = { win: 1, draw: 0, loss: -1 };

/** The value for X of a judgement for `turn`: 1 a win, 0 a draw, -1 a loss, null unproven. */
export function worthForX(turn: Mark, { value, proven }: Judgement): number | null {
  if (!proven) return null;
  return POINTS[turn === 'X' ? value : negated(value)];
}
