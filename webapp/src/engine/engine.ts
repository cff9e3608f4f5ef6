/** The engine as the worker and the command line use it: one solver per size, created when first needed and kept. */

import type { Budget } from './effort.ts';
import type { Size } from './geometry.ts';
import { type ChosenMove, chooseMove, type Level } from './levels.ts';
import { type Cell, type Mark, type Position } from './position.ts';
import { principalVariation, type Review, type ReviewedMove, reviewMoves } from './review.ts';
import { type Solution, Solver } from './solver.ts';

export class Engine {
  private readonly solvers = new Map<Size, Solver>();

  /** Exact value, best moves and distances. @throws InvalidPosition when the game is over. */
  solve(position: Position, budget: Budget): Solution {
    return this.solver(position.size).solve(position, budget);
  }

  /** @throws InvalidPosition when the game is over. */
  chooseMove(position: Position, level: Level, budget: Budget, seed: number): ChosenMove {
    return chooseMove(this.solver(position.size), position, level, budget, seed);
  }

  /** Best play to the end. */
  line(position: Position, budget: Budget): Cell[] {
    return principalVariation(this.solver(position.size), position, budget);
  }

  /** Yields each move's review, and returns the whole. @throws InvalidPosition when a move is impossible. */
  reviewMoves(size: Size, moves: readonly Cell[], first: Mark, budget: Budget): Generator<ReviewedMove, Review> {
    return reviewMoves(this.solver(size), moves, first, budget);
  }

  /** The same in one call. */
  review(size: Size, moves: readonly Cell[], first: Mark, budget: Budget): Review {
    const steps = this.reviewMoves(size, moves, first, budget);
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
    }
  }

  private solver(size: Size): Solver {
    let solver = this.solvers.get(size);
    if (!solver) {
      solver = new Solver(size);
      this.solvers.set(size, solver);
    }
    return solver;
  }
}
