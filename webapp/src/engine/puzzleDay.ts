/** What is known of the puzzle of a day without the solver, and what a puzzle consists of. */

import type { Size } from './geometry.ts';
import type { Cell, Mark } from './position.ts';

/** Plies from the puzzle's position to the last stone; odd, because whoever is to move plays the last one. */
export type PuzzlePlies = 3 | 5;

export interface PuzzleShape {
  readonly size: Exclude<Size, 3>;
  readonly plies: PuzzlePlies;
}

/** What a move that is not the solution leads to: a slower win, a draw or a loss. */
export type WrongMove = 'slower' | 'draw' | 'loss';

export interface PuzzleStep {
  /** Moves that win as fast as possible; exactly one in the first step. */
  readonly right: readonly RightMove[];
  readonly wrong: readonly { readonly cell: Cell; readonly leadsTo: WrongMove }[];
}

export interface RightMove {
  readonly cell: Cell;
  /** The reply that holds out longest, and what is to be found then; null when the move completes a line. */
  readonly then: { readonly reply: Cell; readonly step: PuzzleStep } | null;
}

export interface Puzzle extends PuzzleShape {
  /** ISO 8601, as `2026-11-23`. */
  readonly day: string;
  readonly turn: Mark;
  /** Row by row, 'X', 'O' and '.'. */
  readonly board: string;
  readonly step: PuzzleStep;
}

const DAY_MS = 86_400_000;

/**
 * From Sunday, harder from Monday on. There is none on 3x3: where nothing has to be blocked, more than one move wins or
 * none does.
 */
const WEEK: readonly PuzzleShape[] = [
  { size: 6, plies: 5 },
  { size: 4, plies: 3 },
  { size: 5, plies: 3 },
  { size: 6, plies: 3 },
  { size: 4, plies: 5 },
  { size: 5, plies: 5 },
  { size: 6, plies: 5 },
];

/** Whole days since 1 January 1970. @throws RangeError when it is not a date as `2026-11-23`. */
export function dayNumber(day: string): number {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : NaN;
  // A date like 31 February would be taken for another one.
  if (Number.isNaN(ms) || !new Date(ms).toISOString().startsWith(day)) throw new RangeError('no such day');
  return ms / DAY_MS;
}

/** The board and depth of a day, known without the solver. */
export function puzzleShape(day: string): PuzzleShape {
  // The first day of 1970 was a Thursday.
  return WEEK[(((dayNumber(day) + 4) % 7) + 7) % 7]!;
}
