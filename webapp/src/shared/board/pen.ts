/**
 * Hand-drawn strokes as SVG path data. A cell is 100 units wide. Strokes vary slightly, but the same cell is always
 * drawn the same way, so that a replay looks like the game.
 */

/** Units of a cell's side. */
export const CELL = 100;

/** Number of variants of each mark. */
const VARIANTS = 7;

export type Point = readonly [x: number, y: number];

/** Numbers between -1 and 1, the same for the same seed (Marsaglia's xorshift on 32 bits). */
function unevenness(seed: number): () => number {
  let state = Math.imul(seed + 1, 0x9e3779b1) | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state / 2 ** 31;
  };
}

/** Neighbours never share a variant. */
function variantOf(row: number, col: number): number {
  return (row * 3 + col * 2) % VARIANTS;
}

/** The two strokes of an X in the middle of a cell whose corner is at 0, 0. */
export function crossStrokes(row: number, col: number): readonly [string, string] {
  const off = unevenness(variantOf(row, col));
  const near = () => 23 + 3 * off();
  const far = () => CELL - 23 + 3 * off();
  return [bowed([near(), near()], [far(), far()], 3.5 * off()), bowed([far(), near()], [near(), far()], 3.5 * off())];
}

/** The stroke of an O, counterclockwise from the top and a little past its start. */
export function ringStroke(row: number, col: number): string {
  const off = unevenness(variantOf(row, col) + VARIANTS);
  const [x, y] = [CELL / 2 + 1.5 * off(), CELL / 2 + 1.5 * off()];
  const [rx, ry] = [28 + 1.5 * off(), 29.5 + 1.5 * off()];
  const start = -1.2 + 0.3 * off();
  const turn = 2 * Math.PI + 0.25 + 0.08 * off();
  const steps = 10;
  const points = Array.from({ length: steps + 1 }, (_, step): Point => {
    const part = step / steps;
    const angle = start - turn * part;
    // The ring closes a little inside of its start.
    const radius = 1.015 - 0.035 * part + 0.012 * off();
    return [x + rx * radius * Math.cos(angle), y + ry * radius * Math.sin(angle)];
  });
  return smooth(points);
}

/** The lines of a grid, ruled by hand across `size` cells: first those that go down, then those that go across. */
export function ruledLines(size: number): readonly string[] {
  const length = size * CELL;
  return [0, 1].flatMap((across) =>
    Array.from({ length: size - 1 }, (_, index) => {
      const off = unevenness(size * 20 + across * 10 + index);
      const at = (index + 1) * CELL;
      const [first, last] = [(0.012 + 0.01 * off()) * length, (0.988 + 0.01 * off()) * length];
      const slant = 0.004 * length * off();
      const points = Array.from({ length: 5 }, (_, step): Point => {
        const part = step / 4;
        const along = first + (last - first) * part;
        const beside = at + slant * (2 * part - 1) + 0.0032 * length * off();
        return across ? [along, beside] : [beside, along];
      });
      return smooth(points);
    }),
  );
}

/** A straight line as one rules it by hand, the same for the same seed. Units are those of the drawing. */
export function ruledLine(from: Point, to: Point, seed: number): string {
  const off = unevenness(seed);
  const slack = 0.0035 * Math.hypot(to[0] - from[0], to[1] - from[1]);
  const points = Array.from({ length: 5 }, (_, step): Point => {
    const part = step / 4;
    const bend = step % 4 === 0 ? 0 : slack;
    return [from[0] + (to[0] - from[0]) * part + bend * off(), from[1] + (to[1] - from[1]) * part + bend * off()];
  });
  return smooth(points);
}

/** The outline of a bar, filled from its lower left corner, with corners that are not quite square. */
export function ruledBar(x: number, y: number, width: number, height: number, seed: number): string {
  const off = unevenness(seed + 3 * VARIANTS);
  const slack = Math.min(1.1, height / 4, width / 4);
  const corner = (cx: number, cy: number): Point => [cx + slack * off(), cy + slack * off()];
  const corners = [corner(x, y + height), corner(x, y), corner(x + width, y), corner(x + width, y + height)];
  return `M${corners.map(text).join('L')}Z`;
}

/** One stroke through the cells of a line, from beyond the first to beyond the last. */
export function strikeStroke(line: readonly (readonly number[])[]): string {
  const [firstRow = 0, firstCol = 0] = line[0] ?? [];
  const [lastRow = 0, lastCol = 0] = line.at(-1) ?? [];
  const off = unevenness(firstRow * 31 + firstCol * 17 + lastRow * 7 + lastCol);
  const [down, right] = [Math.sign(lastRow - firstRow), Math.sign(lastCol - firstCol)];
  const overshoot = 36;
  const from: Point = [
    (firstCol + 0.5) * CELL - overshoot * right + 3 * off(),
    (firstRow + 0.5) * CELL - overshoot * down + 3 * off(),
  ];
  const to: Point = [
    (lastCol + 0.5) * CELL + overshoot * right + 3 * off(),
    (lastRow + 0.5) * CELL + overshoot * down + 3 * off(),
  ];
  return bowed(from, to, 5 * off());
}

/** The outline of the wash under the last mark. */
export function washOutline(row: number, col: number): string {
  const off = unevenness(variantOf(row, col) + 2 * VARIANTS);
  const at = (x: number, y: number): Point => [col * CELL + x + 2 * off(), row * CELL + y + 2 * off()];
  // From the middle of the upper edge round and back to it, so that the seam lies on a straight.
  const start = at(50, 9);
  const round = [at(80, 9), at(90, 20), at(91, 50), at(90, 80), at(80, 91), at(50, 92), at(20, 91), at(9, 80)];
  return `${smooth([start, ...round, at(8, 50), at(10, 20), at(20, 9), start])}Z`;
}

/** How wide the lines of a grid are: thinner than the marks, and not as thin as their cells on a large board. */
export function ruledWidth(size: number): number {
  return 1.9 + 0.35 * size;
}

/** A stroke from one point to another that bends to one side by `bend` units, and a little to the other. */
function bowed(from: Point, to: Point, bend: number): string {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(dx, dy);
  const [nx, ny] = [-dy / length, dx / length];
  const beside = (part: number, by: number): Point => [from[0] + dx * part + nx * by, from[1] + dy * part + ny * by];
  return `M${text(from)}C${text(beside(0.3, bend * 1.6))} ${text(beside(0.75, -bend * 0.7))} ${text(to)}`;
}

/** A curve through the points without a corner (Catmull and Rom's spline as Bézier curves). */
function smooth(points: readonly Point[]): string {
  const at = (index: number): Point => points[Math.min(Math.max(index, 0), points.length - 1)] ?? [0, 0];
  let path = `M${text(at(0))}`;
  for (let index = 0; index < points.length - 1; index++) {
    const [before, from, to, after] = [at(index - 1), at(index), at(index + 1), at(index + 2)];
    const out: Point = [from[0] + (to[0] - before[0]) / 6, from[1] + (to[1] - before[1]) / 6];
    const into: Point = [to[0] - (after[0] - from[0]) / 6, to[1] - (after[1] - from[1]) / 6];
    path += `C${text(out)} ${text(into)} ${text(to)}`;
  }
  return path;
}

function text([x, y]: Point): string {
  return `${x.toFixed(1)} ${y.toFixed(1)}`;
}
