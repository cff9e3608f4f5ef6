/**
 * Choosing a move. Perfect keeps the exact value and, among the moves that do, takes the one that is hardest to answer. The
 * weaker levels are the same player with oversights: with a fixed chance it plays a move that gives away value, unless
 * that would be punished, or a win missed, within the few plies it always sees.
 */

import type { Budget } from './effort.ts';
import { centreDistance } from './geometry.ts';
import type { Cell, Position } from './position.ts';
import { pick, randomFrom } from './random.ts';
import { type MoveJudgement, type Solution, type Solver } from './solver.ts';
import { referenceMove } from './referenceAi.ts';

/** `spec` is the reference AI; the name stays, since browsers, links and scripts have stored it. */
export const LEVELS = ['easy', 'medium', 'hard', 'perfect', 'spec'] as const;
export type Level = (typeof LEVELS)[number];

export function isLevel(value: unknown): value is Level {
  return LEVELS.some((level) => level === value);
}

export interface Oversight {
  /** How often a move that gives away value is played where there is one. */
  readonly chance: number;
  /** Wins and losses within this many plies are never overlooked. */
  readonly sees: number;
}

export const OVERSIGHT: Record<'easy' | 'medium' | 'hard', Oversight> = {
  easy: { chance: 0.6, sees: 1 },
  medium: { chance: 0.3, sees: 3 },
  hard: { chance: 0.1, sees: 5 },
};

export interface ChosenMove extends Solution {
  /** The move. The others are judged no further than the level needs: see `Detail`. */
  readonly cell: Cell;
  /** Whether the level meant to give away value with this move. */
  readonly slipped: boolean;
}

/**
 * The move of a level in a position. The same seed and enough budget give the same move. `solver` must be of the
 * position's size.
 * @throws InvalidPosition when the game is over.
 */
export function chooseMove(solver: Solver, position: Position, level: Level, budget: Budget, seed: number): ChosenMove {
  const now = budget.now ?? (() => performance.now());
  const started = now();
  const solution = solver.solve(position, budget, level in OVERSIGHT ? 'everything' : 'to-move');
  const random = randomFrom(seed);
  if (level === 'spec') return { ...solution, cell: referenceMove(position), slipped: false };
  if (level !== 'perfect') {
    const { chance, sees } = OVERSIGHT[level];
    const slips = slipsOf(solution, sees);
    if (random() < chance && slips.length > 0) {
      return { ...solution, cell: pick(slips, random).cell, slipped: true };
    }
    const aims = solution.plies !== null && solution.plies <= sees;
    if (!aims) return { ...solution, cell: pick(candidatesOf(solution), random).cell, slipped: false };
  }
  const left = { ms: (budget.ms ?? Infinity) - (now() - started), now };
  return { ...solution, cell: strongest(solver, position, solution, left, random), slipped: false };
}

function slipsOf(solution: Solution, sees: number): readonly MoveJudgement[] {
  const soon = (judgement: { plies: number | null }): boolean => judgement.plies !== null && judgement.plies <= sees;
  if (!solution.proven || (solution.value === 'win' && soon(solution))) return [];
  return solution.moves.filter(
    (move) => move.proven && move.value !== solution.value && !(move.value === 'loss' && soon(move)),
  );
}

/** The best moves; where the budget found none, those not proven to lose, or all. */
function candidatesOf({ moves, best }: Solution): readonly MoveJudgement[] {
  for (const candidates of [
    moves.filter(({ cell }) => best.includes(cell)),
    moves.filter(({ value, proven }) => !(proven && value === 'loss')),
  ]) {
    if (candidates.length > 0) return candidates;
  }
  return moves;
}

/** Beyond this a defender's loss counts as equally far: longer lines are not harder to see, only longer. */
const FAR_PLIES = 8;
/** For the look at the opponent's replies; a reply takes one to thirty nodes. */
const TRAP_NODES = 1500;

/** Of the moves that keep the value: the fastest win, the draw with most traps, or the loss that is hardest to find. */
function strongest(solver: Solver, position: Position, solution: Solution, left: Budget, random: () => number): Cell {
  const best = candidatesOf(solution);
  if (!solution.proven)
    return pick(
      topBy(best, ({ cell }) => -centreDistance(position.size, cell)),
      random,
    ).cell;
  if (solution.value === 'win') {
    const fastest = solution.plies === null ? null : solver.bestMove(position, left);
    return fastest ?? pick(best, random).cell;
  }
  const far = topBy(best, ({ plies }) => Math.min(plies ?? Infinity, FAR_PLIES));
  if (far.length === 1) return far[0]!.cell;
  const cells = far.map(({ cell }) => cell);
  const ease = solver.easeOfReply(position, cells, solution.value, { ...left, nodes: TRAP_NODES });
  const hard = topBy(far, ({ cell }) => -ease.get(cell)!);
  return pick(
    topBy(hard, ({ plies }) => plies ?? Infinity),
    random,
  ).cell;
}

function topBy<T>(items: readonly T[], rank: (item: T) => number): readonly T[] {
  const ranks = items.map(rank);
  const top = Math.max(...ranks);
  return items.filter((_, index) => ranks[index] === top);
}
