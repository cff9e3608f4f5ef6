/** The stones a search has placed on its board, with the forced replies to each of them. */

import { type Board, DOUBLE, other, QUIET, type Side, WON } from './board.ts';

/** Results of `advance`: below this, the side to move in a calm position; from it on, `WINNER` plus the winning side. */
export const WINNER = 2;

export class Track {
  private readonly board: Board;
  private readonly cells: Uint8Array;
  private readonly sides: Uint8Array;
  length = 0;

  constructor(board: Board) {
    this.board = board;
    this.cells = new Uint8Array(board.geometry.cellCount);
    this.sides = new Uint8Array(board.geometry.cellCount);
  }

  /**
   * From a calm position, plays a stone and every reply it forces, until the position is calm again or one side has a
   * double threat and therefore wins with its next stone. Keys are not updated: see `addKeys`.
   */
  advance(cell: number, side: Side): number {
    let next = cell;
    let mover = side;
    for (;;) {
      this.cells[this.length] = next;
      this.sides[this.length++] = mover;
      const outcome = this.board.place(next, mover);
      if (outcome === DOUBLE || outcome === WON) return WINNER + mover;
      mover = other(mover);
      if (outcome === QUIET) return mover;
      next = outcome;
    }
  }

  retreat(length: number): void {
    while (this.length > length) {
      this.length--;
      this.board.take(this.cells[this.length]!, this.sides[this.length] as Side);
    }
  }

  addKeys(from: number): void {
    for (let i = from; i < this.length; i++) this.board.addToKey(this.cells[i]!, this.sides[i] as Side);
  }

  takeKeys(from: number): void {
    for (let i = from; i < this.length; i++) this.board.takeFromKey(this.cells[i]!, this.sides[i] as Side);
  }

  /** How many of the stones from `from` on are `side`'s. */
  stonesOf(side: Side, from: number): number {
    let count = 0;
    for (let i = from; i < this.length; i++) if (this.sides[i] === side) count++;
    return count;
  }
}
