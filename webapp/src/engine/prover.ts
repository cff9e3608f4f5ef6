/**
 * Depth-first proof-number search (df-pn) for the one question 'can this side win?'. Win, draw and loss are two such
 * questions, one for each side.
 *
 * A node is a calm position: forced replies belong to the move that forces them (`Track`). A leaf is settled
 * directly by the four-threat search, by potential, or by a pairing strategy, which is what makes the tree small: 5x5
 * takes some 3,000 nodes, 6x6 some 1,000. The game only ever adds stones, so there are no cycles.
 */

import { type Board, other, type Side } from './board.ts';
import type { Effort } from './effort.ts';
import { ForcingSearch } from './forcing.ts';
import { PairingSearch } from './pairing.ts';
import { ProofTable } from './table.ts';
import { Track, WINNER } from './track.ts';

export type Verdict = 'yes' | 'no' | 'unknown';

/** Proof and disproof numbers are 16 bits wide in the table; `INFINITE` means settled, `HUGE` is the largest below. */
const INFINITE = 65535;
const HUGE = 60000;

/**
 * Initial estimates, tuned on random 6x6 positions; they change the speed, never the result. A defender who faces a
 * forced win has few moves, and one who faces none has many.
 */
const PROOF_WHEN_THREATENED = 2;
const PROOF_WHEN_FREE = 16;
const PROOF_ON_TURN = 4;

/** Work as the table counts it: four times the logarithm; the maximum for entries that must never be replaced. */
const MOST_WORK = 255;

export class Prover {
  private readonly board: Board;
  private readonly table: ProofTable;
  private readonly track: Track;
  private readonly forcing: ForcingSearch;
  private readonly pairing: PairingSearch;
  private readonly frames: Frame[];
  private attacker: Side = 0;
  private effort!: Effort;
  /** The result of the last `assess` or `search`. */
  private proof = 0;
  private disproof = 0;

  constructor(board: Board, tableBits: number) {
    this.board = board;
    this.table = new ProofTable(tableBits);
    this.track = new Track(board);
    this.forcing = new ForcingSearch(board);
    this.pairing = new PairingSearch(board);
    this.frames = Array.from({ length: board.geometry.cellCount + 1 }, () => new Frame(board.geometry.cellCount));
  }

  /** Whether `attacker` wins the calm position on the board, with `toMove` to move, against any defence. */
  canWin(attacker: Side, toMove: Side, effort: Effort): Verdict {
    this.attacker = attacker;
    this.effort = effort;
    this.board.canonicalise();
    const keyLo = this.board.questionLo(attacker, toMove);
    const keyHi = this.board.questionHi();
    this.recall(keyLo, keyHi, toMove);
    if (this.proof !== 0 && this.disproof !== 0) {
      const before = effort.nodes;
      this.search(toMove, 0, INFINITE, INFINITE);
      this.remember(keyLo, keyHi, effort.nodes - before);
    }
    if (this.proof === 0) return 'yes';
    return this.disproof === 0 ? 'no' : 'unknown';
  }

  /** Stores a known result for the calm position on the board, permanently. */
  learn(attacker: Side, toMove: Side, wins: boolean): void {
    this.board.canonicalise();
    this.settle(wins);
    this.remember(this.board.questionLo(attacker, toMove), this.board.questionHi(), Infinity);
  }

  private recall(keyLo: number, keyHi: number, toMove: Side): void {
    const { table } = this;
    const slot = table.find(keyLo, keyHi);
    if (slot >= 0) {
      this.proof = table.proof[slot]!;
      this.disproof = table.disproof[slot]!;
    } else {
      this.assess(toMove);
      this.remember(keyLo, keyHi, 0);
    }
  }

  private remember(keyLo: number, keyHi: number, nodes: number): void {
    const work =
      nodes === 0 ? 0 : nodes === Infinity ? MOST_WORK : Math.min(MOST_WORK - 1, 4 * (32 - Math.clz32(nodes)));
    this.table.store(keyLo, keyHi, this.proof, this.disproof, work);
  }

  /** Settles a calm position without search, or estimates its numbers. */
  private assess(toMove: Side): void {
    const { attacker, board } = this;
    const defender = other(attacker);
    if (board.cannotWin(attacker, toMove)) return this.settle(false);
    if (toMove === attacker) {
      if (this.forcing.wins(attacker)) return this.settle(true);
      if (this.pairing.holds(attacker)) return this.settle(false);
      this.proof = PROOF_ON_TURN;
      this.disproof = 1 + (board.potential[attacker]! >> 3);
    } else {
      if (!board.cannotWin(defender, defender) && this.forcing.wins(defender)) return this.settle(false);
      if (this.pairing.holds(attacker)) return this.settle(false);
      const threatened = this.forcing.wins(attacker);
      this.proof = threatened ? PROOF_WHEN_THREATENED : PROOF_WHEN_FREE;
      this.disproof = (threatened ? 2 : 1) + (board.potential[attacker]! >> 4);
    }
  }

  private settle(win: boolean): void {
    this.proof = win ? 0 : INFINITE;
    this.disproof = win ? INFINITE : 0;
  }

  /** Searches until a number reaches its threshold or the effort is spent; leaves the numbers in the fields. */
  private search(toMove: Side, depth: number, proofLimit: number, disproofLimit: number): void {
    const { track, effort } = this;
    const attacking = toMove === this.attacker;
    const frame = this.frames[depth]!;
    effort.spend();
    if (this.expand(frame, toMove)) return this.settle(attacking);

    // Seen from the side to move: `own` is small when a child is good for it, `theirs` counts what it would take to
    // refute them all. The largest child plus one for each other is used instead of the sum, which counts positions that
    // are reached along several paths several times.
    const own = attacking ? frame.proof : frame.disproof;
    const theirs = attacking ? frame.disproof : frame.proof;
    const ownLimit = attacking ? proofLimit : disproofLimit;
    const theirLimit = attacking ? disproofLimit : proofLimit;
    for (;;) {
      let best = -1;
      let least = INFINITE;
      let second = INFINITE;
      let largest = 0;
      let open = 0;
      for (let i = 0; i < frame.count; i++) {
        if (theirs[i] === 0) continue;
        open++;
        if (theirs[i]! > largest) largest = theirs[i]!;
        if (best < 0 || own[i]! < least || (own[i] === least && theirs[i]! < theirs[best]!)) {
          second = least;
          least = own[i]!;
          best = i;
        } else if (own[i]! < second) {
          second = own[i]!;
        }
      }
      if (best < 0) return this.settle(!attacking);
      if (least === 0) return this.settle(attacking);
      const total = Math.min(HUGE, largest + open - 1);
      if (least >= ownLimit || total >= theirLimit || effort.isOver) {
        this.proof = attacking ? least : total;
        this.disproof = attacking ? total : least;
        return;
      }

      // A little beyond the second best, so that the search does not alternate between two equal moves.
      const ownShare = Math.min(ownLimit, second + 1 + (second >> 2));
      const theirShare = theirLimit === INFINITE ? INFINITE : theirLimit - (open - 1);
      const from = track.length;
      const next = track.advance(frame.cells[best]!, toMove) as Side;
      track.addKeys(from);
      const before = effort.nodes;
      this.search(next, depth + 1, attacking ? ownShare : theirShare, attacking ? theirShare : ownShare);
      track.takeKeys(from);
      track.retreat(from);
      frame.proof[best] = this.proof;
      frame.disproof[best] = this.disproof;
      this.remember(frame.keyLo[best]!, frame.keyHi[best]!, effort.nodes - before);
    }
  }

  /** Lists the moves with their numbers; true as soon as one of them settles the node for the side to move. */
  private expand(frame: Frame, toMove: Side): boolean {
    const { board, track, attacker } = this;
    const { centreOrder } = board.geometry;
    const from = track.length;
    const attacking = toMove === attacker;
    let passed = false;
    let keyLo = 0;
    let keyHi = 0;
    frame.count = 0;
    for (let i = 0; i < centreOrder.length; i++) {
      const cell = centreOrder[i]!;
      if (!board.isEmpty(cell)) continue;
      if (board.isDead(cell)) {
        // All dead cells are one move, a pass.
        if (passed) continue;
        passed = true;
      }
      const result = track.advance(cell, toMove);
      if (result >= WINNER) {
        this.settle(result - WINNER === attacker);
        track.retreat(from);
      } else {
        track.addKeys(from);
        board.canonicalise();
        track.takeKeys(from);
        keyLo = board.questionLo(attacker, result as Side);
        keyHi = board.questionHi();
        const twin = frame.has(keyLo, keyHi);
        if (!twin) this.recall(keyLo, keyHi, result as Side);
        track.retreat(from);
        if (twin) continue;
      }
      if ((attacking ? this.proof : this.disproof) === 0) return true;
      if ((attacking ? this.disproof : this.proof) === 0) continue;
      frame.add(cell, keyLo, keyHi, this.proof, this.disproof);
    }
    return false;
  }
}

/** The moves of one node that are not settled against the side to move. */
class Frame {
  count = 0;
  readonly cells: Uint8Array;
  readonly keyLo: Int32Array;
  readonly keyHi: Int32Array;
  readonly proof: Int32Array;
  readonly disproof: Int32Array;

  constructor(capacity: number) {
    this.cells = new Uint8Array(capacity);
    this.keyLo = new Int32Array(capacity);
    this.keyHi = new Int32Array(capacity);
    this.proof = new Int32Array(capacity);
    this.disproof = new Int32Array(capacity);
  }

  has(keyLo: number, keyHi: number): boolean {
    for (let i = 0; i < this.count; i++) {
      if (this.keyLo[i] === keyLo && this.keyHi[i] === keyHi) return true;
    }
    return false;
  }

  add(cell: number, keyLo: number, keyHi: number, proof: number, disproof: number): void {
    const i = this.count++;
    this.cells[i] = cell;
    this.keyLo[i] = keyLo;
    this.keyHi[i] = keyHi;
    this.proof[i] = proof;
    this.disproof[i] = disproof;
  }
}
