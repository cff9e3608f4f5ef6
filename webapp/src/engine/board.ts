/**
 * The mutable board a search plays on: the state of every line, the sides' potentials and the keys of all eight symmetric
 * images, kept up to date stone by stone.
 *
 * Side 0 made the first move of the game, side 1 the second; which of them is X does not matter to a search, so a
 * position and its copy with exchanged marks share their results.
 */

import { highestBit, hiBit, loBit, HALF_BITS } from './bits.ts';
import { type Geometry, keyDigit } from './geometry.ts';

export type Side = 0 | 1;

export function other(side: Side): Side {
  return side === 0 ? 1 : 0;
}

/** The result of a stone. 0 and above is a threat: the one cell where the opponent must reply. */
export const QUIET = -1;
/** Two or more winning cells at once, which no single reply can block. */
export const DOUBLE = -2;
export const WON = -3;

/** A line's state is the number of stones of side 0 plus eight times that of side 1. */
export const UNIT: readonly [number, number] = [1, 8];
const STATE_COUNT = 64;

/** By a line's state before the stone: the potential that the stone adds for its side, and takes from the other. */
const GAIN = [new Int8Array(STATE_COUNT), new Int8Array(STATE_COUNT)] as const;
const TOLL = [new Int8Array(STATE_COUNT), new Int8Array(STATE_COUNT)] as const;
for (const side of [0, 1] as const) {
  for (let stones = 0; stones < 4; stones++) {
    GAIN[side][stones * UNIT[side]!] = 1 << stones;
    TOLL[side][stones * UNIT[other(side)]!] = 1 << stones;
  }
}

/** A key's halves have 29 bits, which leaves room in the lower one. */
const ATTACKER_SHIFT = 29;
const TO_MOVE_SHIFT = 30;

export class Board {
  readonly geometry: Geometry;
  readonly lineState: Uint8Array;
  occupiedLo = 0;
  occupiedHi = 0;
  /** By side: 2^stones summed over the lines the opponent has not touched (see `cannotWin`). */
  readonly potential = new Int32Array(2);
  /** The smallest key of the eight symmetric images, after `canonicalise`. */
  private canonicalLo = 0;
  private canonicalHi = 0;

  /**
   * The position in base 3 under each symmetry, in two halves of 29 bits at most: exact, so that no two positions ever
   * share a key and a stored proof is a proof.
   */
  private readonly keyLo = new Int32Array(8);
  private readonly keyHi = new Int32Array(8);
  private readonly digitLo: readonly [Int32Array, Int32Array];
  private readonly digitHi: readonly [Int32Array, Int32Array];

  constructor(geometry: Geometry) {
    this.geometry = geometry;
    this.lineState = new Uint8Array(geometry.lineCount);
    this.potential.fill(geometry.lineCount);
    this.digitLo = [digits(geometry, 0, false), digits(geometry, 1, false)];
    this.digitHi = [digits(geometry, 0, true), digits(geometry, 1, true)];
  }

  /** Places a stone, without its part of the key, and returns its result. */
  place(cell: number, side: Side): number {
    const { lineState, potential } = this;
    const { cellLines, winLength } = this.geometry;
    this.occupiedLo |= loBit(cell);
    this.occupiedHi |= hiBit(cell);
    const unit = UNIT[side]!;
    const gain = GAIN[side];
    const toll = TOLL[side];
    const won = winLength * unit;
    const threat = won - unit;
    const through = cellLines[cell]!;
    let gained = 0;
    let taken = 0;
    let outcome = QUIET;
    for (let i = 0; i < through.length; i++) {
      const line = through[i]!;
      const before = lineState[line]!;
      gained += gain[before]!;
      taken += toll[before]!;
      const state = before + unit;
      lineState[line] = state;
      if (state === threat && outcome !== WON) {
        const hole = this.holeIn(line);
        outcome = outcome === QUIET || outcome === hole ? hole : DOUBLE;
      } else if (state === won) {
        outcome = WON;
      }
    }
    potential[side]! += gained;
    potential[other(side)]! -= taken;
    return outcome;
  }

  /** Takes back a stone placed by `place`. */
  take(cell: number, side: Side): void {
    const { lineState, potential } = this;
    this.occupiedLo &= ~loBit(cell);
    this.occupiedHi &= ~hiBit(cell);
    const unit = UNIT[side]!;
    const gain = GAIN[side];
    const toll = TOLL[side];
    const through = this.geometry.cellLines[cell]!;
    let gained = 0;
    let taken = 0;
    for (let i = 0; i < through.length; i++) {
      const line = through[i]!;
      const before = lineState[line]! - unit;
      lineState[line] = before;
      gained += gain[before]!;
      taken += toll[before]!;
    }
    potential[side]! -= gained;
    potential[other(side)]! += taken;
  }

  addToKey(cell: number, side: Side): void {
    const { keyLo, keyHi } = this;
    const lo = this.digitLo[side];
    const hi = this.digitHi[side];
    for (let i = 0, at = cell * 8; i < 8; i++, at++) {
      keyLo[i]! += lo[at]!;
      keyHi[i]! += hi[at]!;
    }
  }

  takeFromKey(cell: number, side: Side): void {
    const { keyLo, keyHi } = this;
    const lo = this.digitLo[side];
    const hi = this.digitHi[side];
    for (let i = 0, at = cell * 8; i < 8; i++, at++) {
      keyLo[i]! -= lo[at]!;
      keyHi[i]! -= hi[at]!;
    }
  }

  canonicalise(): void {
    const { keyLo, keyHi } = this;
    let lo = keyLo[0]!;
    let hi = keyHi[0]!;
    for (let i = 1; i < 8; i++) {
      const h = keyHi[i]!;
      if (h > hi) continue;
      const l = keyLo[i]!;
      if (h < hi || l < lo) {
        hi = h;
        lo = l;
      }
    }
    this.canonicalLo = lo;
    this.canonicalHi = hi;
  }

  /**
   * After `canonicalise`, the question whether `attacker` wins with `toMove` to move, as the two words of a table's key.
   * Whose turn it is does not follow from the stones: searches let a side pass.
   */
  questionLo(attacker: Side, toMove: Side): number {
    return this.canonicalLo | (attacker << ATTACKER_SHIFT) | (toMove << TO_MOVE_SHIFT);
  }

  questionHi(): number {
    return this.canonicalHi;
  }

  /** After `canonicalise`: whether the board itself is the representative of its symmetry class. */
  isCanonical(): boolean {
    return this.keyLo[0] === this.canonicalLo && this.keyHi[0] === this.canonicalHi;
  }

  isEmpty(cell: number): boolean {
    return ((this.occupiedLo & loBit(cell)) | (this.occupiedHi & hiBit(cell))) === 0;
  }

  /** An empty cell of a line that has one. */
  holeIn(line: number): number {
    const lo = this.geometry.lineLo[line]! & ~this.occupiedLo;
    return lo !== 0 ? highestBit(lo) : HALF_BITS + highestBit(this.geometry.lineHi[line]! & ~this.occupiedHi);
  }

  /** A cell where the side completes a line at once. */
  winningCells(side: Side): number[] {
    const wanted = (this.geometry.winLength - 1) * UNIT[side]!;
    const cells: number[] = [];
    for (let line = 0; line < this.lineState.length; line++) {
      if (this.lineState[line] !== wanted) continue;
      const hole = this.holeIn(line);
      if (!cells.includes(hole)) cells.push(hole);
    }
    return cells;
  }

  /** Whether the line can still become `side`'s. */
  isOpenTo(side: Side, line: number): boolean {
    const state = this.lineState[line]!;
    return side === 0 ? state < UNIT[1]! : state % UNIT[1]! === 0;
  }

  /** A cell through which no line can become anybody's. */
  isDead(cell: number): boolean {
    const through = this.geometry.cellLines[cell]!;
    for (let i = 0; i < through.length; i++) {
      if (this.isOpenTo(0, through[i]!) || this.isOpenTo(1, through[i]!)) return false;
    }
    return true;
  }

  /** Whether no line can become anybody's. */
  isDecided(): boolean {
    return this.potential[0] === 0 && this.potential[1] === 0;
  }

  /**
   * Erdős and Selfridge's criterion: weigh each open line 2^-(stones missing). Below 1/2 with `side` to move, below 1
   * with the opponent to move, an opponent who always takes the heaviest cell keeps `side` from every line.
   * A sound bound: when it does not apply, nothing follows.
   */
  cannotWin(side: Side, toMove: Side): boolean {
    const limit = 1 << this.geometry.winLength;
    return this.potential[side]! < (side === toMove ? limit >> 1 : limit);
  }
}

function digits(geometry: Geometry, side: Side, upper: boolean): Int32Array {
  const table = new Int32Array(geometry.cellCount * 8);
  for (let cell = 0; cell < geometry.cellCount; cell++) {
    geometry.symmetries.forEach((image, index) => {
      const digit = keyDigit(image[cell]!);
      if (digit.upper === upper) table[cell * 8 + index] = (side + 1) * digit.weight;
    });
  }
  return table;
}
