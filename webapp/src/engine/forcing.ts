/**
 * The four-threat search: can a side win by threats alone, each of which leaves the opponent one reply?
 * Positions given to it are calm: neither side can complete a line at once.
 */

import { type Board, DOUBLE, other, QUIET, type Side, UNIT } from './board.ts';
import { HALF_BITS, highestBit } from './bits.ts';

/** A win found is a proof whatever the limit, which bounds the cost of finding none. Most searches take under ten moves. */
export const FORCING_LIMIT = 200;

export class ForcingSearch {
  private readonly board: Board;
  private left = 0;

  constructor(board: Board) {
    this.board = board;
  }

  /** Whether `side`, to move, is found to win by threats. False also when the limit stopped the search. */
  wins(side: Side, limit = FORCING_LIMIT): boolean {
    this.left = limit;
    return this.search(side);
  }

  private search(side: Side): boolean {
    const { board } = this;
    const { lineLo, lineHi, winLength } = board.geometry;
    const wanted = (winLength - 2) * UNIT[side]!;
    let triedLo = board.occupiedLo;
    let triedHi = board.occupiedHi;
    for (let line = 0; line < board.lineState.length; line++) {
      if (board.lineState[line] !== wanted) continue;
      let lo = lineLo[line]! & ~triedLo;
      let hi = lineHi[line]! & ~triedHi;
      triedLo |= lo;
      triedHi |= hi;
      while (lo !== 0) {
        const bit = highestBit(lo);
        lo ^= 1 << bit;
        if (this.threaten(bit, side)) return true;
      }
      while (hi !== 0) {
        const bit = highestBit(hi);
        hi ^= 1 << bit;
        if (this.threaten(HALF_BITS + bit, side)) return true;
      }
      if (this.left <= 0) return false;
    }
    return false;
  }

  private threaten(cell: number, side: Side): boolean {
    const { board } = this;
    this.left--;
    const answer = board.place(cell, side);
    let won = answer === DOUBLE;
    if (answer >= 0) {
      const defender = other(side);
      const counter = board.place(answer, defender);
      if (counter === QUIET) won = this.search(side);
      else if (counter >= 0) won = this.threaten(counter, side);
      board.take(answer, defender);
    }
    board.take(cell, side);
    return won;
  }
}
