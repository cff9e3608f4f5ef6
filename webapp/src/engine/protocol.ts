/** The messages between the page and the engine's worker. */

import type { Size } from './geometry.ts';
import type { ChosenMove, Level } from './levels.ts';
import type { Cell, Mark, Position } from './position.ts';
import type { Puzzle } from './puzzleDay.ts';
import type { Review, ReviewedMove } from './review.ts';
import type { Solution } from './solver.ts';

export type Task =
  | { readonly kind: 'solve'; readonly position: Position; readonly budgetMs: number }
  | {
      readonly kind: 'choose';
      readonly position: Position;
      readonly level: Level;
      readonly budgetMs: number;
      readonly seed: number;
    }
  | { readonly kind: 'line'; readonly position: Position; readonly budgetMs: number }
  | {
      readonly kind: 'review';
      readonly size: Size;
      readonly moves: readonly Cell[];
      readonly first: Mark;
      readonly budgetMs: number;
    }
  | { readonly kind: 'puzzle'; readonly day: string };

export interface Results {
  solve: Solution;
  choose: ChosenMove;
  line: readonly Cell[];
  review: Review;
  puzzle: Puzzle;
}

export type ToWorker =
  | { readonly kind: 'task'; readonly id: number; readonly task: Task }
  | { readonly kind: 'cancel'; readonly id: number }
  /** Think about the position during the human's turn, until the next task. */
  | { readonly kind: 'ponder'; readonly position: Position };

export type FromWorker =
  | { readonly kind: 'result'; readonly id: number; readonly result: Results[Task['kind']] }
  /** The worker is loaded. */
  | { readonly kind: 'ready' }
  /** A task has arrived and is in progress. */
  | { readonly kind: 'heard'; readonly id: number }
  /** The next move of a review is done. */
  | { readonly kind: 'progress'; readonly id: number; readonly move: ReviewedMove }
  | { readonly kind: 'error'; readonly id: number; readonly message: string };
