/** A set of cells in two halves of 18 bits: cells 0-17 in `lo`, cells 18-35 in `hi`. */
export interface CellSet {
  readonly lo: number;
  readonly hi: number;
}

export const HALF_BITS = 18;

/** How many bits are set. */
export function popcount(bits: number): number {
  let n = bits - ((bits >>> 1) & 0x55555555);
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333);
  return Math.imul((n + (n >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** The index of the highest bit set; `bits` must not be 0. */
export function highestBit(bits: number): number {
  return 31 - Math.clz32(bits);
}

export function loBit(cell: number): number {
  return cell < HALF_BITS ? 1 << cell : 0;
}

export function hiBit(cell: number): number {
  return cell < HALF_BITS ? 0 : 1 << (cell - HALF_BITS);
}

export function hasCell(set: CellSet, cell: number): boolean {
  return ((set.lo & loBit(cell)) | (set.hi & hiBit(cell))) !== 0;
}

export function cellCount(set: CellSet): number {
  return popcount(set.lo) + popcount(set.hi);
}
