/**
 * Boards, lines and symmetries: sizes 3 to 6; 3 in a row on 3x3, 4 in a row on the others (docs/behaviour/play.md#boards).
 * A cell is a number, `row * size + col`.
 */

import { HALF_BITS, hiBit, loBit } from './bits.ts';

export const SIZES = [3, 4, 5, 6] as const;
export type Size = (typeof SIZES)[number];

export function isSize(value: unknown): value is Size {
  return SIZES.some((size) => size === value);
}

/** How many in a row are needed to win. */
export function winLength(size: Size): 3 | 4 {
  return size === 3 ? 3 : 4;
}

export interface Geometry {
  readonly size: Size;
  readonly winLength: 3 | 4;
  readonly cellCount: number;
  readonly lineCount: number;
  /** The cells of each line. */
  readonly lines: readonly (readonly number[])[];
  /** The same as bitboards. */
  readonly lineLo: Int32Array;
  readonly lineHi: Int32Array;
  /** The lines through each cell. */
  readonly cellLines: readonly Uint8Array[];
  /** The eight symmetries of the square, each as a map from cell to cell; the first is the identity. */
  readonly symmetries: readonly Uint8Array[];
  /** Cells from the middle outwards, ties in reading order. */
  readonly centreOrder: readonly number[];
}

const built = new Map<Size, Geometry>();

export function geometry(size: Size): Geometry {
  let found = built.get(size);
  if (!found) {
    found = build(size);
    built.set(size, found);
  }
  return found;
}

/** Squared distance of a cell from the middle of the board, in half cells, so that it is whole on even boards too. */
export function centreDistance(size: Size, cell: number): number {
  const row = Math.floor(cell / size) * 2 - (size - 1);
  const col = (cell % size) * 2 - (size - 1);
  return row * row + col * col;
}

function build(size: Size): Geometry {
  const length = winLength(size);
  const lines = linesOf(size, length);
  const lineLo = new Int32Array(lines.length);
  const lineHi = new Int32Array(lines.length);
  lines.forEach((line, index) => {
    lineLo[index] = line.reduce((bits, cell) => bits | loBit(cell), 0);
    lineHi[index] = line.reduce((bits, cell) => bits | hiBit(cell), 0);
  });
  const cells = Array.from({ length: size * size }, (_, cell) => cell);
  return {
    size,
    winLength: length,
    cellCount: cells.length,
    lineCount: lines.length,
    lines,
    lineLo,
    lineHi,
    cellLines: cells.map((cell) =>
      Uint8Array.from(lines.flatMap((line, index) => (line.includes(cell) ? [index] : []))),
    ),
    symmetries: symmetriesOf(size),
    centreOrder: [...cells].sort((a, b) => centreDistance(size, a) - centreDistance(size, b) || a - b),
  };
}

const DIRECTIONS = [
  [0, 1],
  [1, 0],
  [1, 1],
  [1, -1],
] as const;

function linesOf(size: Size, length: number): number[][] {
  const lines: number[][] = [];
  for (const [down, right] of DIRECTIONS) {
    for (let row = 0; row + down * (length - 1) < size; row++) {
      for (let col = 0; col < size; col++) {
        const end = col + right * (length - 1);
        if (end < 0 || end >= size) continue;
        lines.push(Array.from({ length }, (_, i) => (row + down * i) * size + col + right * i));
      }
    }
  }
  return lines;
}

function symmetriesOf(size: Size): Uint8Array[] {
  const last = size - 1;
  const images: ((row: number, col: number) => readonly [number, number])[] = [
    (r, c) => [r, c],
    (r, c) => [r, last - c],
    (r, c) => [last - r, c],
    (r, c) => [last - r, last - c],
    (r, c) => [c, r],
    (r, c) => [c, last - r],
    (r, c) => [last - c, r],
    (r, c) => [last - c, last - r],
  ];
  return images.map((image) =>
    Uint8Array.from({ length: size * size }, (_, cell) => {
      const [row, col] = image(Math.floor(cell / size), cell % size);
      return row * size + col;
    }),
  );
}

/** Where a cell's ternary digit lies in a position's key: see `Board`. */
export function keyDigit(cell: number): { readonly upper: boolean; readonly weight: number } {
  return cell < HALF_BITS ? { upper: false, weight: 3 ** cell } : { upper: true, weight: 3 ** (cell - HALF_BITS) };
}
