/**
 * The reference AI (docs/behaviour/play.md#reference-ai): alpha-beta with move ordering to a fixed depth. Kept as an opponent
 * and for comparison; it claims to be unbeatable and is not.
 */

import { centreDistance, geometry, type Size } from './geometry.ts';
import { type Cell, contentOf, emptyCells, type Mark, opposite, type Position } from './position.ts';
import { pick } from './random.ts';

export const REFERENCE_AI = {
  maxDepth: { 3: 6, 4: 4, 5: 3, 6: 2 },
  /** A win scores this minus the depth at which it comes. */
  winScore: 1000,
  /** Own longest run as a power of this, minus the opponent's. */
  heuristicBase: 10,
  heuristicFromSize: 4,
  candidates: 8,
  candidatesFromSize: 5,
  /** On 6x6 with more empty cells than this, no search: the move that looks best. */
  searchUpToEmpty: { 3: Infinity, 4: Infinity, 5: Infinity, 6: 15 },
  moveDelayMs: 500,
  timeoutMs: { 3: 2000, 4: 2000, 5: 2000, 6: 3000 },
} as const;

/** Row by row, null for an empty cell. */
type Cells = (Mark | null)[];

export function referenceMove(position: Position): Cell {
  const { size, turn } = position;
  const cells: Cells = Array.from({ length: size * size }, (_, cell) => contentOf(position, cell));
  const ordered = orderedMoves(size, cells, turn);
  const empty = cells.filter((content) => content === null).length;
  if (empty > REFERENCE_AI.searchUpToEmpty[size]) return ordered[0]!;
  let best = ordered[0]!;
  let highest = -Infinity;
  for (const cell of candidates(size, ordered)) {
    cells[cell] = turn;
    const score = -negamax(size, cells, opposite(turn), cell, 1, -Infinity, -highest);
    cells[cell] = null;
    if (score > highest) {
      highest = score;
      best = cell;
    }
  }
  return best;
}

/** A random empty cell near the centre, which is played when the engine fails. */
export function fallbackMove(position: Position, random: () => number): Cell {
  const { size } = position;
  const cells = emptyCells(position);
  const nearest = Math.min(...cells.map((cell) => centreDistance(size, cell)));
  return pick(
    cells.filter((cell) => centreDistance(size, cell) === nearest),
    random,
  );
}

/** Alpha-beta: the score for `mover`, at `depth` plies from the root, after the opponent's stone on `last`. */
function negamax(
  size: Size,
  cells: Cells,
  mover: Mark,
  last: Cell,
  depth: number,
  alpha: number,
  beta: number,
): number {
  if (completes(size, cells, last, opposite(mover))) return depth - REFERENCE_AI.winScore;
  if (!cells.includes(null)) return 0;
  if (depth >= REFERENCE_AI.maxDepth[size])
    return size < REFERENCE_AI.heuristicFromSize ? 0 : heuristic(size, cells, mover);
  let highest = -Infinity;
  for (const cell of candidates(size, orderedMoves(size, cells, mover))) {
    cells[cell] = mover;
    const score = -negamax(size, cells, opposite(mover), cell, depth + 1, -beta, -Math.max(alpha, highest));
    cells[cell] = null;
    if (score > highest) highest = score;
    if (highest >= beta) break;
  }
  return highest;
}

function candidates(size: Size, ordered: readonly Cell[]): readonly Cell[] {
  return size >= REFERENCE_AI.candidatesFromSize ? ordered.slice(0, REFERENCE_AI.candidates) : ordered;
}

/** Winning moves, then blocks, then by heuristic, then the centre first. */
function orderedMoves(size: Size, cells: Cells, mover: Mark): Cell[] {
  const rank = (cell: Cell): number => {
    cells[cell] = opposite(mover);
    const blocks = completes(size, cells, cell, opposite(mover));
    cells[cell] = mover;
    const wins = completes(size, cells, cell, mover);
    const looks = size < REFERENCE_AI.heuristicFromSize ? 0 : heuristic(size, cells, mover);
    cells[cell] = null;
    return (wins ? 4e6 : 0) + (blocks ? 2e6 : 0) + looks;
  };
  return geometry(size)
    .centreOrder.filter((cell) => cells[cell] === null)
    .map((cell) => ({ cell, rank: rank(cell) }))
    .sort((a, b) => b.rank - a.rank)
    .map(({ cell }) => cell);
}

/** 10 to the power of the longest run, own minus opponent. */
export function heuristic(size: Size, cells: readonly (Mark | null)[], own: Mark): number {
  const { heuristicBase: base } = REFERENCE_AI;
  return base ** longestRun(size, cells, own) - base ** longestRun(size, cells, opposite(own));
}

function longestRun(size: Size, cells: readonly (Mark | null)[], mark: Mark): number {
  let longest = 0;
  for (const [down, right] of [
    [0, 1],
    [1, 0],
    [1, 1],
    [1, -1],
  ] as const) {
    for (let cell = 0; cell < cells.length; cell++) {
      let run = 0;
      let row = Math.floor(cell / size);
      let col = cell % size;
      while (row < size && col >= 0 && col < size && cells[row * size + col] === mark) {
        run++;
        row += down;
        col += right;
      }
      if (run > longest) longest = run;
    }
  }
  return longest;
}

function completes(size: Size, cells: readonly (Mark | null)[], cell: Cell, mark: Mark): boolean {
  const { cellLines, lines } = geometry(size);
  return cellLines[cell]!.some((line) => lines[line]!.every((each) => cells[each] === mark));
}
