/**
 * How fast a proven win is: a search for a win within a number of the winner's own stones, which is raised by one until it
 * succeeds. The winner hurries, the loser delays.
 */

import { type Board, type Side, UNIT } from './board.ts';
import type { Effort } from './effort.ts';
import type { Prover } from './prover.ts';
import { DistanceTable } from './table.ts';
import { Track, WINNER } from './track.ts';

/**
 * From this many stones on it pays to search first whether there is a win at all; most positions on the way have none. A
 * few nodes settle nearly all of them.
 */
const ASK_FROM_STONES = 4;
const ASK_NODES = 20;
/** More than any game has. */
const NEVER = 255;

export class DistanceSearch {
  private readonly board: Board;
  private readonly prover: Prover;
  private readonly table: DistanceTable;
  private readonly track: Track;
  /** By stones left: the move that last won, and the move that last held out; both are tried first. */
  private readonly winners: Uint8Array;
  private readonly holders: Uint8Array;
  private effort!: Effort;

  constructor(board: Board, prover: Prover, tableBits: number) {
    this.board = board;
    this.prover = prover;
    this.table = new DistanceTable(tableBits);
    this.track = new Track(board);
    this.winners = new Uint8Array(board.geometry.cellCount + 1);
    this.holders = new Uint8Array(board.geometry.cellCount + 1);
  }

  /**
   * Plies until `attacker` completes a line in the calm position on the board, with best play on both sides; null when
   * the effort ran out. The win must have been proven, or the search would go on to the last cell.
   */
  plies(attacker: Side, toMove: Side, effort: Effort): number | null {
    this.effort = effort;
    for (let stones = 2; stones <= this.board.geometry.cellCount; stones++) {
      if (this.winsWithin(attacker, toMove, stones)) return toMove === attacker ? 2 * stones - 1 : 2 * stones;
      if (effort.isOver) return null;
    }
    return null;
  }

  /** A move that wins as soon, or holds out as long, as possible; null when the effort ran out. Otherwise as `plies`. */
  bestCell(attacker: Side, toMove: Side, effort: Effort): number | null {
    const plies = this.plies(attacker, toMove, effort);
    if (plies === null) return null;
    const stones = Math.ceil(plies / 2);
    const { board } = this;
    for (const cell of board.geometry.centreOrder) {
      if (!board.isEmpty(cell)) continue;
      const wins = this.winsAfter(cell, toMove, attacker, toMove === attacker ? stones : stones - 1);
      if (effort.isOver) return null;
      if (wins === (toMove === attacker)) return cell;
    }
    return null;
  }

  /** False also when the effort ran out; nothing is stored then. */
  private winsWithin(attacker: Side, toMove: Side, stones: number): boolean {
    const { board, table, effort } = this;
    // In a calm position a double threat comes first, then the line.
    if (stones < 2 || board.cannotWin(attacker, toMove)) return false;
    board.canonicalise();
    const keyLo = board.questionLo(attacker, toMove);
    const keyHi = board.questionHi();
    const slot = table.find(keyLo, keyHi);
    if (slot >= 0) {
      const enough = table.enough[slot]!;
      if (enough !== 0 && enough <= stones) return true;
      if (table.tooFew[slot]! >= stones) return false;
    }
    effort.spend();
    if (effort.isOver) return false;
    if (stones >= ASK_FROM_STONES && this.neverWins(attacker, toMove)) {
      table.storeTooFew(keyLo, keyHi, NEVER);
      return false;
    }
    const wins =
      toMove === attacker ? this.someMoveWins(attacker, stones) : this.everyMoveLoses(attacker, toMove, stones);
    if (wins) table.storeEnough(keyLo, keyHi, stones);
    else if (!effort.isOver) table.storeTooFew(keyLo, keyHi, stones);
    return wins;
  }

  private neverWins(attacker: Side, toMove: Side): boolean {
    const part = this.effort.part(1, ASK_NODES);
    const verdict = this.prover.canWin(attacker, toMove, part);
    this.effort.absorb(part);
    return verdict === 'no';
  }

  private someMoveWins(attacker: Side, stones: number): boolean {
    const { board, winners } = this;
    const last = winners[stones]!;
    if (board.isEmpty(last) && this.winsAfter(last, attacker, attacker, stones)) return true;
    // Threats first: they are the quickest to try, and with two stones left nothing else works.
    return this.tries(attacker, stones, true) || (stones > 2 && this.tries(attacker, stones, false));
  }

  private tries(attacker: Side, stones: number, threatening: boolean): boolean {
    const { board } = this;
    const { centreOrder } = board.geometry;
    for (let i = 0; i < centreOrder.length; i++) {
      const cell = centreOrder[i]!;
      if (!board.isEmpty(cell) || this.threatens(cell, attacker) !== threatening) continue;
      if (this.winsAfter(cell, attacker, attacker, stones)) {
        this.winners[stones] = cell;
        return true;
      }
      if (this.effort.isOver) return false;
    }
    return false;
  }

  private everyMoveLoses(attacker: Side, defender: Side, stones: number): boolean {
    // A stone never harms its owner: if a pass holds out for so long, some move does.
    if (!this.winsWithin(attacker, attacker, stones)) return false;
    const { board, holders } = this;
    const { centreOrder } = board.geometry;
    const last = holders[stones]!;
    if (board.isEmpty(last) && !this.winsAfter(last, defender, attacker, stones)) return false;
    for (let i = 0; i < centreOrder.length; i++) {
      const cell = centreOrder[i]!;
      if (!board.isEmpty(cell) || this.winsAfter(cell, defender, attacker, stones)) continue;
      holders[stones] = cell;
      return false;
    }
    return true;
  }

  private winsAfter(cell: number, mover: Side, attacker: Side, stones: number): boolean {
    const { track } = this;
    const from = track.length;
    const result = track.advance(cell, mover);
    const left = stones - track.stonesOf(attacker, from);
    let wins: boolean;
    if (result >= WINNER) {
      wins = result - WINNER === attacker && left >= 1;
    } else {
      track.addKeys(from);
      wins = this.winsWithin(attacker, result as Side, left);
      track.takeKeys(from);
    }
    track.retreat(from);
    return wins;
  }

  private threatens(cell: number, side: Side): boolean {
    const { board } = this;
    const wanted = (board.geometry.winLength - 2) * UNIT[side]!;
    const through = board.geometry.cellLines[cell]!;
    for (let i = 0; i < through.length; i++) {
      if (board.lineState[through[i]!] === wanted) return true;
    }
    return false;
  }
}
