/**
 * The exact value of a position and of each of its moves. Keeps what it has proven between calls.
 */

import { Board, other, QUIET, type Side, WON } from './board.ts';
import { cellCount } from './bits.ts';
import { readBook } from './book.ts';
import { DistanceSearch } from './distance.ts';
import { type Budget, Effort } from './effort.ts';
import { geometry, type Size } from './geometry.ts';
import { type Cell, contentOf, emptyCells, InvalidPosition, isOver, type Mark, type Position } from './position.ts';
import { Prover } from './prover.ts';

/** For the side that is to move, or that makes the move. */
export type Value = 'win' | 'draw' | 'loss';

export interface Judgement {
  /** Exact if `proven`, the best guess otherwise. */
  readonly value: Value;
  readonly proven: boolean;
  /** Plies until the last stone of a won or lost game, if the winner hurries and the loser delays; null when unknown. */
  readonly plies: number | null;
}

export interface MoveJudgement extends Judgement {
  readonly cell: Cell;
}

export interface Solution extends Judgement {
  /** The moves proven to keep the value, in reading order. Where the value is unproven, those not proven to lose. */
  readonly best: readonly Cell[];
  /** Every legal move in reading order, judged for whoever makes it (its plies count the move itself). */
  readonly moves: readonly MoveJudgement[];
  readonly nodes: number;
}

/**
 * Entries of the tables, as powers of two. No position seen needs a tenth of the largest; all four solvers together
 * take 32 MiB.
 */
const PROOF_BITS: Record<Size, number> = { 3: 10, 4: 16, 5: 19, 6: 20 };
const DISTANCE_BITS: Record<Size, number> = { 3: 12, 4: 16, 5: 19, 6: 19 };

/** Nodes for a first search of each move: those on the path of the root's proof are settled by the table alone. */
const GLANCE_NODES = 40;

/**
 * Nodes for distances, some 3 to 7 microseconds each: for the position, for each of its moves, and for all together. Wins
 * in up to eleven plies are nearly always measured within them; a longer one may stay without a distance.
 */
const DISTANCE_NODES = 30_000;
const MOVE_DISTANCE_NODES = 4_000;
const ALL_DISTANCE_NODES = 60_000;
/** Of the time left once the values are known. */
const DISTANCE_SHARE = 0.3;

/** The nodes of a short search of a reply: for a trap that the other side falls into, and for a win it has to find. */
const EASY_TO_SEE_NODES = 2;
const HARD_TO_SEE_NODES = 30;

/**
 * How much `solve` computes. To choose a move it is enough to know which moves keep the value: those that give a win
 * away are then left unproven, and distances of moves are measured only in a lost position.
 */
export type Detail = 'everything' | 'to-move';

export class Solver {
  readonly size: Size;
  private readonly board: Board;
  private readonly prover: Prover;
  private readonly distance: DistanceSearch;
  private readonly stones: { readonly cell: Cell; readonly side: Side }[] = [];

  /** Without the book everything is proven by search; positions of few stones then take up to two seconds. */
  constructor(size: Size, { useBook = true } = {}) {
    this.size = size;
    this.board = new Board(geometry(size));
    this.prover = new Prover(this.board, PROOF_BITS[size]);
    this.distance = new DistanceSearch(this.board, this.prover, DISTANCE_BITS[size]);
    if (useBook) readBook(size, this.board, (attacker, toMove, wins) => this.prover.learn(attacker, toMove, wins));
  }

  /** @throws InvalidPosition when the game is over or the size is not this solver's. */
  solve(position: Position, budget: Budget, detail: Detail = 'everything'): Solution {
    const toMove = this.load(position);
    const effort = new Effort(budget);
    const atFirst = this.judge(toMove, effort, null);
    const judged = this.judgeMoves(emptyCells(position), toMove, atFirst, effort, detail);
    const root = atFirst.proven ? atFirst : settledBy(judged);
    const timing = effort.part(DISTANCE_SHARE, ALL_DISTANCE_NODES);
    const plies = root.proven ? this.plies(root.value, toMove, timing, DISTANCE_NODES) : null;
    const moves = detail === 'everything' || root.value === 'loss' ? this.measureMoves(judged, toMove, timing) : judged;
    effort.absorb(timing);
    return { ...root, plies, best: bestOf(root, moves).map(({ cell }) => cell), moves, nodes: effort.nodes };
  }

  /** Only the value, without distance: much less work than `solve`. @throws InvalidPosition as `solve` does. */
  value(position: Position, budget: Budget): Judgement {
    const toMove = this.load(position);
    return this.judge(toMove, new Effort(budget), null);
  }

  /**
   * A move of best play: the winner's fastest, the loser's slowest as far as they can be measured, or one that holds the
   * draw. Null when the value is unproven, or nobody can win any more.
   * @throws InvalidPosition as `solve` does.
   */
  bestMove(position: Position, budget: Budget): Cell | null {
    const toMove = this.load(position);
    const effort = new Effort(budget);
    const { board } = this;
    const [wins] = board.winningCells(toMove);
    if (wins !== undefined) return wins;
    const [threat] = board.winningCells(other(toMove));
    if (threat !== undefined) return threat;
    const { value, proven } = this.judge(toMove, effort, null);
    if (!proven || board.isDecided()) return null;
    if (value !== 'draw') {
      const cell = this.distance.bestCell(
        value === 'win' ? toMove : other(toMove),
        toMove,
        effort.part(1, DISTANCE_NODES),
      );
      if (cell !== null) return cell;
    }
    const root = { value, proven, plies: null };
    const moves = this.judgeMoves(this.emptiesFromCentre(), toMove, root, effort, 'to-move');
    return moves.find((move) => move.proven && move.value === value)?.cell ?? null;
  }

  private emptiesFromCentre(): Cell[] {
    return this.board.geometry.centreOrder.filter((cell) => this.board.isEmpty(cell));
  }

  /**
   * For each of the given moves, all of the same value, the share of the opponent's replies that keep that value as far as
   * a short search shows: 1 where no reply is wrong, as for a forced one. In a lost position, a win that takes
   * more than a short search to find does not count.
   */
  easeOfReply(position: Position, cells: readonly Cell[], value: Value, budget: Budget): ReadonlyMap<Cell, number> {
    const toMove = this.load(position);
    const effort = new Effort(budget);
    const ease = new Map<Cell, number>();
    for (const cell of cells) {
      const outcome = this.put(cell, toMove);
      ease.set(cell, outcome === QUIET && !this.isFull() ? this.shareOfGoodReplies(toMove, value, effort) : 1);
      this.lift();
    }
    return ease;
  }

  private shareOfGoodReplies(mover: Side, value: Value, effort: Effort): number {
    const opponent = other(mover);
    let good = 0;
    let all = 0;
    for (let cell = 0; cell < this.board.geometry.cellCount && !effort.isOver; cell++) {
      if (!this.board.isEmpty(cell)) continue;
      all++;
      const outcome = this.put(cell, opponent);
      const keeps =
        outcome === WON ||
        this.isFull() ||
        (value === 'loss'
          ? this.glimpsesWin(opponent, mover, effort, HARD_TO_SEE_NODES)
          : !this.glimpsesWin(mover, mover, effort, EASY_TO_SEE_NODES));
      if (keeps) good++;
      this.lift();
    }
    return effort.isOver ? 1 : good / all;
  }

  private glimpsesWin(winner: Side, toMove: Side, effort: Effort, nodes: number): boolean {
    const part = effort.part(1, nodes);
    const sees = this.seesWin(winner, toMove, part);
    effort.absorb(part);
    return sees;
  }

  /** Whether `winner` is proven to win the position on the board within the effort. */
  private seesWin(winner: Side, toMove: Side, effort: Effort): boolean {
    const { board } = this;
    if (board.winningCells(toMove).length > 0) return winner === toMove;
    const [threat, second] = board.winningCells(other(toMove));
    if (second !== undefined) return winner !== toMove;
    if (threat === undefined) return this.prover.canWin(winner, toMove, effort) === 'yes';
    this.put(threat, toMove);
    const sees = !this.isFull() && this.seesWin(winner, other(toMove), effort);
    this.lift();
    return sees;
  }

  /** Sets the board up and returns the side to move. */
  private load(position: Position): Side {
    if (position.size !== this.size) throw new InvalidPosition(`this solver is for ${this.size}x${this.size}`);
    if (isOver(position)) throw new InvalidPosition('the game is over');
    while (this.stones.length > 0) this.lift();
    const starter = starterOf(position);
    for (let cell = 0; cell < position.size ** 2; cell++) {
      const mark = contentOf(position, cell);
      if (mark !== null) this.put(cell, mark === starter ? 0 : 1);
    }
    return position.turn === starter ? 0 : 1;
  }

  private put(cell: Cell, side: Side): number {
    this.stones.push({ cell, side });
    this.board.addToKey(cell, side);
    return this.board.place(cell, side);
  }

  private lift(): void {
    const { cell, side } = this.stones.pop()!;
    this.board.take(cell, side);
    this.board.takeFromKey(cell, side);
  }

  /** The value of the position on the board for `toMove`, without distance. `floor` is what it is known to reach. */
  private judge(toMove: Side, effort: Effort, floor: Value | null): Judgement {
    const { board, prover } = this;
    const opponent = other(toMove);
    if (board.winningCells(toMove).length > 0) return PROVEN.win;
    const [threat, second] = board.winningCells(opponent);
    if (second !== undefined) return PROVEN.loss;
    if (threat !== undefined) {
      this.put(threat, toMove);
      const after = this.isFull() ? PROVEN.draw : this.judge(opponent, effort, null);
      this.lift();
      return reversed(after);
    }
    const win = floor === 'win' ? 'yes' : prover.canWin(toMove, toMove, effort);
    if (win === 'yes') return PROVEN.win;
    const loss = floor === 'draw' ? 'no' : prover.canWin(opponent, toMove, effort);
    if (loss === 'yes') return PROVEN.loss;
    return win === 'no' && loss === 'no' ? PROVEN.draw : UNPROVEN;
  }

  private judgeMoves(
    cells: readonly Cell[],
    toMove: Side,
    root: Judgement,
    effort: Effort,
    detail: Detail,
  ): MoveJudgement[] {
    const onlyWins = detail === 'to-move' && root.proven && root.value === 'win';
    // A value that the side to move cannot reach is denied to it after every move.
    const floor = root.proven && root.value !== 'win' ? negated(root.value) : null;
    const judgeAnswer = (part: Effort): Judgement => {
      if (!onlyWins) return this.judge(other(toMove), part, floor);
      return this.seesWin(toMove, other(toMove), part) ? PROVEN.loss : UNPROVEN;
    };
    const judged = new Map<string, Judgement>();
    for (const nodes of [GLANCE_NODES, Infinity]) {
      for (const cell of cells) {
        const outcome = this.put(cell, toMove);
        const key = this.key();
        if (judged.get(key)?.proven !== true) {
          const part = effort.part(1, nodes);
          const after = outcome === WON ? PROVEN.loss : this.isFull() ? PROVEN.draw : judgeAnswer(part);
          effort.absorb(part);
          judged.set(key, reversed(after));
        }
        this.lift();
      }
    }
    return cells.map((cell) => {
      this.put(cell, toMove);
      const judgement = judged.get(this.key())!;
      this.lift();
      return { cell, ...judgement };
    });
  }

  /** Adds the distances of won and lost moves, as far as the effort allows. */
  private measureMoves(moves: readonly MoveJudgement[], toMove: Side, effort: Effort): MoveJudgement[] {
    const measured = new Map<string, number | null>();
    return moves.map((move) => {
      if (!move.proven || move.value === 'draw') return move;
      const outcome = this.put(move.cell, toMove);
      const key = this.key();
      if (!measured.has(key)) {
        measured.set(
          key,
          outcome === WON ? 0 : this.plies(negated(move.value), other(toMove), effort, MOVE_DISTANCE_NODES),
        );
      }
      this.lift();
      const plies = measured.get(key)!;
      return { ...move, plies: plies === null ? null : plies + 1 };
    });
  }

  /** Plies to the end of the position on the board, whose value for `toMove` is proven. */
  private plies(value: Value, toMove: Side, effort: Effort, nodes: number): number | null {
    if (value === 'draw') return null;
    const { board } = this;
    if (board.winningCells(toMove).length > 0) return 1;
    const [threat, second] = board.winningCells(other(toMove));
    if (second !== undefined) return 2;
    if (threat !== undefined) {
      this.put(threat, toMove);
      const rest = this.plies(negated(value), other(toMove), effort, nodes);
      this.lift();
      return rest === null ? null : rest + 1;
    }
    const part = effort.part(1, nodes);
    const plies = this.distance.plies(value === 'win' ? toMove : other(toMove), toMove, part);
    effort.absorb(part);
    return plies;
  }

  private key(): string {
    this.board.canonicalise();
    return `${this.board.questionLo(0, 0)} ${this.board.questionHi()}`;
  }

  private isFull(): boolean {
    return this.stones.length === this.board.geometry.cellCount;
  }
}

/** The side that must have started: the one with a stone more, or the one to move when they are even. */
export function starterOf(position: Position): Mark {
  const xs = cellCount(position.x);
  const os = cellCount(position.o);
  if (xs === os) return position.turn;
  return xs > os ? 'X' : 'O';
}

export function negated(value: Value): Value {
  if (value === 'draw') return 'draw';
  return value === 'win' ? 'loss' : 'win';
}

const PROVEN: Record<Value, Judgement> = {
  win: { value: 'win', proven: true, plies: null },
  draw: { value: 'draw', proven: true, plies: null },
  loss: { value: 'loss', proven: true, plies: null },
};

const UNPROVEN: Judgement = { value: 'draw', proven: false, plies: null };

/** The same from the opponent's view. */
function reversed(judgement: Judgement): Judgement {
  return { ...judgement, value: negated(judgement.value) };
}

/** The value of a position, from the values of its moves. */
function settledBy(moves: readonly MoveJudgement[]): Judgement {
  if (moves.some((move) => move.proven && move.value === 'win')) return PROVEN.win;
  if (!moves.every((move) => move.proven)) return UNPROVEN;
  return moves.some((move) => move.value === 'draw') ? PROVEN.draw : PROVEN.loss;
}

function bestOf(root: Judgement, moves: readonly MoveJudgement[]): readonly MoveJudgement[] {
  if (root.proven) return moves.filter((move) => move.proven && move.value === root.value);
  return moves.filter((move) => !(move.proven && move.value === 'loss'));
}
