import { describe, expect, it } from 'vitest';
import { cellCount, HALF_BITS, hasCell, highestBit, popcount } from './bits.ts';
import { geometry, isSize, SIZES, winLength } from './geometry.ts';

describe('geometry', () => {
  it('needs 3 in a row on 3x3 and 4 on larger boards', () => {
    expect(SIZES.map(winLength)).toEqual([3, 4, 4, 4]);
    expect([2, 3, 6, 7, '3', null].map(isSize)).toEqual([false, true, true, false, false, false]);
  });

  it.each([
    [3, 8],
    [4, 10],
    [5, 28],
    [6, 54],
  ] as const)('has every line of size %i once: %i', (size, count) => {
    const { lines, lineCount, lineLo, lineHi, winLength: length } = geometry(size);
    expect(lineCount).toBe(count);
    expect(new Set(lines.map((line) => [...line].sort((a, b) => a - b).join())).size).toBe(count);
    lines.forEach((line, index) => {
      const mask = { lo: lineLo[index]!, hi: lineHi[index]! };
      expect(cellCount(mask)).toBe(length);
      expect(line.every((cell) => hasCell(mask, cell))).toBe(true);
      const steps = line.slice(1).map((cell, i) => cell - line[i]!);
      expect(new Set(steps).size).toBe(1);
      const columns = line.map((cell) => cell % size);
      expect(Math.abs(columns[1]! - columns[0]!)).toBeLessThanOrEqual(1);
    });
  });

  it.each(SIZES)('maps lines to lines under all eight symmetries of size %i', (size) => {
    const { symmetries, lines, cellCount: cells } = geometry(size);
    const known = new Set(lines.map((line) => [...line].sort((a, b) => a - b).join()));
    expect(new Set(symmetries.map((map) => map.join())).size).toBe(8);
    for (const map of symmetries) {
      expect(new Set(map).size).toBe(cells);
      for (const line of lines) {
        expect(known).toContain(
          line
            .map((cell) => map[cell]!)
            .sort((a, b) => a - b)
            .join(),
        );
      }
    }
  });

  it('orders cells from the middle', () => {
    expect(geometry(3).centreOrder[0]).toBe(4);
    expect(geometry(6).centreOrder.slice(0, 4)).toEqual([14, 15, 20, 21]);
    expect(geometry(5).centreOrder.slice(-4)).toEqual([0, 4, 20, 24]);
  });
});

describe('bits', () => {
  it('counts and finds them', () => {
    for (let bit = 0; bit < HALF_BITS; bit++) {
      expect(popcount((1 << (bit + 1)) - 1)).toBe(bit + 1);
      expect(highestBit((1 << (bit + 1)) - 1)).toBe(bit);
    }
    expect(popcount(-1)).toBe(32);
  });
});
