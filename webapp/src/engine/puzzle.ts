/**
 * The puzzle of a day: a position in which exactly one move wins, made from the date alone. The same date gives the same
 * puzzle everywhere: randomness is seeded by the date, and the search is limited by nodes, never by time.
 */

import { geometry } from './geometry.ts';
import {
  type Cell,
  contentOf,
  emptyCells,
  emptyPosition,
  type Mark,
  opposite,
  play,
  type Position,
  rowCol,
} from './position.ts';
import {
  dayNumber,
  type Puzzle,
  type PuzzlePlies,
  puzzleShape,
  type PuzzleShape,
  type PuzzleStep,
  type RightMove,
  type WrongMove,
} from './puzzleDay.ts';
import { pick, randomFrom } from './random.ts';
import { type MoveJudgement, type Solution, Solver } from './solver.ts';

/** The fewest and the most stones on the board of a puzzle. */
const STONES: Record<PuzzleShape['size'], readonly [number, number]> = { 4: [4, 8], 5: [6, 12], 6: [8, 18] };

/** For all moves of one candidate; what takes more is not used. */
const CANDIDATE_NODES = 4_000;

/** Makes the puzzle of a day. */
export function makePuzzle(day: string): Puzzle {
  const { size, plies } = puzzleShape(day);
  const random = randomFrom(Math.imul(dayNumber(day), 0x9e3779b1));
  // What a solver has proven before may change what it can prove within its nodes: each puzzle starts with a new one. The
  // book knows fewer stones than a puzzle has.
  const solver = new Solver(size, { useBook: false });
  for (;;) {
    const position = quietPosition(size, random);
    if (position === null || !mayBePuzzle(position, plies)) continue;
    const solution = solver.solve(position, { nodes: CANDIDATE_NODES });
    if (!hasOneWin(solution, plies)) continue;
    const step = stepOf(solver, position, solution, plies);
    if (step !== null) return { day, size, plies, turn: position.turn, board: boardText(position), step };
  }
}

/** Whether every move is proven, one wins in so many plies and no other wins at all. */
function hasOneWin({ moves }: Solution, plies: number): boolean {
  const wins = moves.filter(({ value }) => value === 'win');
  return moves.every(({ proven }) => proven) && wins.length === 1 && wins[0]!.plies === plies;
}

/** Null when the search was too short to tell a right move from a wrong one. */
function stepOf(solver: Solver, position: Position, { moves }: Solution, plies: number): PuzzleStep | null {
  const right: RightMove[] = [];
  const wrong: { cell: Cell; leadsTo: WrongMove }[] = [];
  for (const move of moves) {
    if (!move.proven || (move.value === 'win' && move.plies === null)) return null;
    if (move.value !== 'win' || move.plies !== plies) {
      wrong.push({ cell: move.cell, leadsTo: wrongMove(move) });
      continue;
    }
    const then = plies === 1 ? null : after(solver, play(position, move.cell), plies - 2);
    if (then === undefined) return null;
    right.push({ cell: move.cell, then });
  }
  return { right, wrong };
}

function wrongMove({ value }: MoveJudgement): WrongMove {
  return value === 'win' ? 'slower' : value;
}

/** The reply to a right move, and the step after it; undefined when the search was too short. */
function after(solver: Solver, position: Position, plies: number): RightMove['then'] | undefined {
  const reply = solver.bestMove(position, { nodes: CANDIDATE_NODES });
  if (reply === null) return undefined;
  const next = play(position, reply);
  const step = stepOf(solver, next, solver.solve(next, { nodes: CANDIDATE_NODES }), plies);
  return step === null || step.right.length === 0 ? undefined : { reply, step };
}

/**
 * A position from a game of two who block what they see and otherwise play near the others' stones. Null where a line can be
 * completed at once or has to be blocked: nothing is left to find then.
 */
function quietPosition(size: PuzzleShape['size'], random: () => number): Position | null {
  const [least, most] = STONES[size];
  const stones = least + Math.floor(random() * (most - least + 1));
  let position = emptyPosition(size, random() < 0.5 ? 'X' : 'O');
  for (let stone = 0; stone < stones; stone++) {
    if (completing(position, position.turn).length > 0) return null;
    const threats = completing(position, opposite(position.turn));
    position = play(position, pick(threats.length > 0 ? threats : nearCells(position), random));
  }
  const isQuiet = (['X', 'O'] as const).every((mark) => completing(position, mark).length === 0);
  return isQuiet ? position : null;
}

/** The empty cells that complete a line of `mark`. */
function completing(position: Position, mark: Mark): Cell[] {
  const cells = new Set<Cell>();
  for (const line of geometry(position.size).lines) {
    const rest = line.filter((cell) => contentOf(position, cell) !== mark);
    if (rest.length === 1 && contentOf(position, rest[0]!) === null) cells.add(rest[0]!);
  }
  return [...cells];
}

/** The empty cells beside a stone; on an empty board those that are not at the edge. */
function nearCells(position: Position): Cell[] {
  const { size } = position;
  const taken = Array.from({ length: size ** 2 }, (_, cell) => cell).filter(
    (cell) => contentOf(position, cell) !== null,
  );
  const near = emptyCells(position).filter((cell) => {
    const [row, col] = rowCol(size, cell);
    if (taken.length === 0) return [row, col].every((at) => at > 0 && at < size - 1);
    return taken.some((stone) => {
      const [stoneRow, stoneCol] = rowCol(size, stone);
      return Math.abs(stoneRow - row) <= 1 && Math.abs(stoneCol - col) <= 1;
    });
  });
  return near.length > 0 ? near : emptyCells(position);
}

/** A quick look before the search: a win in 3 plies begins with a double threat, of which there must be one only. */
function mayBePuzzle(position: Position, plies: PuzzlePlies): boolean {
  const forks = emptyCells(position).filter((cell) => {
    const next = play(position, cell);
    return completing(next, position.turn).length >= 2;
  });
  return plies === 3 ? forks.length === 1 : forks.length === 0;
}

function boardText(position: Position): string {
  return Array.from({ length: position.size ** 2 }, (_, cell) => contentOf(position, cell) ?? '.').join('');
}
