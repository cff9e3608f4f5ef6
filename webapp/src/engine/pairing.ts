/**
 * Pairing strategies: if every line still open to the attacker has two empty cells of its own, disjoint from the other
 * lines' pairs (lines may share a whole pair), the defender answers each stone in a pair with its partner, and the
 * attacker never completes a line. Whose turn it is does not matter.
 */

import { highestBit, popcount } from './bits.ts';
import { type Board, type Side } from './board.ts';

/** Lines are numbered in one 32-bit word. A pairing of more than this many lines does not fit on 36 cells anyway. */
const MAX_LINES = 31;
/** Bounds the backtracking; where a pairing exists, it is nearly always found within twenty steps. */
const MAX_STEPS = 60;
/** Pairs of a line of four cells. */
const MAX_PAIRS = 6;
const MAX_DEPTH = 18;

export class PairingSearch {
  private readonly board: Board;
  private readonly lines = new Uint8Array(MAX_LINES);
  private readonly pairs = Array.from({ length: MAX_DEPTH + 1 }, () => new Pairs());
  private lineCount = 0;
  private stepsLeft = 0;

  constructor(board: Board) {
    this.board = board;
  }

  /** Whether a pairing is found that keeps `attacker` from winning in a calm position. */
  holds(attacker: Side): boolean {
    const { board, lines } = this;
    let count = 0;
    for (let line = 0; line < board.lineState.length; line++) {
      if (!board.isOpenTo(attacker, line)) continue;
      if (count === MAX_LINES) return false;
      lines[count++] = line;
    }
    this.lineCount = count;
    this.stepsLeft = MAX_STEPS;
    return this.cover(board.occupiedLo, board.occupiedHi, 0, 0);
  }

  /** Pairs off the lines not in `done`, on the cells not in `used`. */
  private cover(usedLo: number, usedHi: number, done: number, depth: number): boolean {
    if (--this.stepsLeft < 0) return false;
    const { lines, lineCount } = this;
    const { lineLo, lineHi } = this.board.geometry;
    let tightest = -1;
    let fewest = 5;
    for (let i = 0; i < lineCount; i++) {
      if ((done & (1 << i)) !== 0) continue;
      const cells = popcount(lineLo[lines[i]!]! & ~usedLo) + popcount(lineHi[lines[i]!]! & ~usedHi);
      if (cells < 2) return false;
      if (cells < fewest) {
        fewest = cells;
        tightest = lines[i]!;
      }
    }
    if (tightest < 0) return true;
    const pairs = this.pairs[depth]!;
    pairs.clear();
    const freeLo = lineLo[tightest]! & ~usedLo;
    const freeHi = lineHi[tightest]! & ~usedHi;
    for (let firstLo = freeLo, firstHi = freeHi; (firstLo | firstHi) !== 0;) {
      let oneLo = 0;
      let oneHi = 0;
      if (firstLo !== 0) firstLo ^= oneLo = 1 << highestBit(firstLo);
      else firstHi ^= oneHi = 1 << highestBit(firstHi);
      for (let secondLo = firstLo, secondHi = firstHi; (secondLo | secondHi) !== 0;) {
        let twoLo = 0;
        let twoHi = 0;
        if (secondLo !== 0) secondLo ^= twoLo = 1 << highestBit(secondLo);
        else secondHi ^= twoHi = 1 << highestBit(secondHi);
        this.weigh(pairs, oneLo | twoLo, oneHi | twoHi, done);
      }
    }
    for (let i = 0; i < pairs.count; i++) {
      if (this.cover(usedLo | pairs.lo[i]!, usedHi | pairs.hi[i]!, pairs.done[i]!, depth + 1)) return true;
      if (this.stepsLeft < 0) return false;
    }
    return false;
  }

  /** Ranks a pair: good if it lies in many lines completely, bad for each line of which it only uses up one cell. */
  private weigh(pairs: Pairs, lo: number, hi: number, done: number): void {
    const { lines, lineCount } = this;
    const { lineLo, lineHi } = this.board.geometry;
    let served = done;
    let worth = 0;
    for (let i = 0; i < lineCount; i++) {
      if ((done & (1 << i)) !== 0) continue;
      const sharedLo = lineLo[lines[i]!]! & lo;
      const sharedHi = lineHi[lines[i]!]! & hi;
      if (sharedLo === lo && sharedHi === hi) {
        served |= 1 << i;
        worth += 4;
      } else if ((sharedLo | sharedHi) !== 0) {
        worth--;
      }
    }
    pairs.file(lo, hi, served, worth);
  }
}

/** The pairs of one line, best first, without allocating. */
class Pairs {
  count = 0;
  readonly lo = new Int32Array(MAX_PAIRS);
  readonly hi = new Int32Array(MAX_PAIRS);
  readonly done = new Int32Array(MAX_PAIRS);
  private readonly worth = new Int32Array(MAX_PAIRS);

  clear(): void {
    this.count = 0;
  }

  file(lo: number, hi: number, done: number, worth: number): void {
    let at = this.count++;
    for (; at > 0 && this.worth[at - 1]! < worth; at--) {
      this.lo[at] = this.lo[at - 1]!;
      this.hi[at] = this.hi[at - 1]!;
      this.done[at] = this.done[at - 1]!;
      this.worth[at] = this.worth[at - 1]!;
    }
    this.lo[at] = lo;
    this.hi[at] = hi;
    this.done[at] = done;
    this.worth[at] = worth;
  }
}
