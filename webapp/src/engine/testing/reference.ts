/**
 * A second solver, to check the first: written separately and sharing nothing with it, not the board, not the search,
 * not the tables. Cells are characters, lines are found by walking, the search is depth-first, deepened by the number of
 * quiet moves that the attacker may make, and remembers positions by their text.
 *
 * Slow but simple. Of the first solver's theory it uses only, on request, the potential bound, computed
 * here from scratch; without it a result rests only on the rules and on the fact that a stone never harms its owner.
 */

export type ReferenceValue = 'win' | 'draw' | 'loss' | 'unknown';

export interface ReferenceOptions {
  readonly maxNodes: number;
  readonly usePotential: boolean;
}

const UNLIMITED = 99;

/** The value for `turn` of a board given row by row, 'X', 'O' and '.'. */
export function referenceValue(size: number, board: string, turn: string, options: ReferenceOptions): ReferenceValue {
  const search = new ReferenceSearch(size, board, options);
  const mover = search.decides(turn, turn);
  if (mover === true) return 'win';
  const opponent = search.decides(turn === 'X' ? 'O' : 'X', turn);
  if (opponent === true) return 'loss';
  return mover === false && opponent === false ? 'draw' : 'unknown';
}

class OutOfNodes extends Error {}

class ReferenceSearch {
  private readonly board: readonly string[];
  private cells: string[];
  private readonly lines: readonly (readonly number[])[];
  private readonly through: readonly (readonly number[])[];
  private readonly order: readonly number[];
  private readonly length: number;
  private readonly options: ReferenceOptions;
  /** By position and question: the quiet moves that were enough, and those that were too few. */
  private memory = new Map<string, { enough: number; tooFew: number }>();
  private nodes = 0;
  private attacker = 'X';

  constructor(size: number, board: string, options: ReferenceOptions) {
    this.board = [...board];
    this.cells = [...board];
    this.length = size === 3 ? 3 : 4;
    this.options = options;
    this.lines = [1, size, size + 1, size - 1].flatMap((step) =>
      this.cells.flatMap((_, start) => {
        const line = Array.from({ length: this.length }, (_, i) => start + step * i);
        const inside = line.every(
          (cell, i) =>
            cell < size * size &&
            (i === 0 || Math.abs((cell % size) - (line[i - 1]! % size)) === (step === size ? 0 : 1)),
        );
        return inside ? [line] : [];
      }),
    );
    this.through = this.cells.map((_, cell) =>
      this.lines.flatMap((line, index) => (line.includes(cell) ? [index] : [])),
    );
    this.order = this.cells.map((_, cell) => cell).sort((a, b) => this.through[b]!.length - this.through[a]!.length);
  }

  /** Whether the attacker wins; undefined when the nodes ran out. */
  decides(attacker: string, turn: string): boolean | undefined {
    this.attacker = attacker;
    this.cells = [...this.board];
    this.memory = new Map();
    this.nodes = 0;
    try {
      for (let quiet = 0; quiet <= this.cells.length / 2; quiet++) if (this.wins(turn, quiet)) return true;
      return this.wins(turn, UNLIMITED);
    } catch (error) {
      if (error instanceof OutOfNodes) return undefined;
      throw error;
    }
  }

  private wins(turn: string, quiet: number): boolean {
    const { attacker } = this;
    if (this.holes(turn).length > 0) return turn === attacker;
    const threats = this.holes(turn === 'X' ? 'O' : 'X');
    if (threats.length > 1) return turn !== attacker;
    if (threats.length === 1) return this.after(threats[0]!, turn, quiet);
    if (this.hopeless(turn)) return false;
    const key = this.cells.join('') + turn;
    const known = this.memory.get(key) ?? { enough: Infinity, tooFew: -1 };
    if (quiet >= known.enough) return true;
    if (quiet <= known.tooFew) return false;
    if (++this.nodes > this.options.maxNodes) throw new OutOfNodes();
    const result = turn === attacker ? this.attacks(quiet) : this.everyDefenceFails(turn, quiet);
    this.memory.set(key, result ? { ...known, enough: quiet } : { ...known, tooFew: quiet });
    return result;
  }

  private attacks(quiet: number): boolean {
    const { attacker } = this;
    const empty = this.order.filter((cell) => this.cells[cell] === '.');
    const threatening = empty.filter((cell) =>
      this.through[cell]!.some((line) => this.count(line, attacker) === this.length - 2),
    );
    if (threatening.some((cell) => this.after(cell, attacker, quiet))) return true;
    if (quiet === 0) return false;
    return empty.some((cell) => !threatening.includes(cell) && this.after(cell, attacker, quiet - 1));
  }

  private everyDefenceFails(defender: string, quiet: number): boolean {
    // Where the attacker does not win although the defender passes, some move of the defender prevents the win as well.
    if (!this.wins(this.attacker, quiet)) return false;
    return this.mostWantedByAttacker().every((cell) => this.after(cell, defender, quiet));
  }

  /** Empty cells, the most valuable for the attacker first: a defence is most likely to hold there. */
  private mostWantedByAttacker(): number[] {
    const worth = this.cells.map((content, cell) =>
      content === '.' ? this.through[cell]!.reduce((sum, line) => sum + this.weight(line), 0) : -1,
    );
    return this.order.filter((cell) => worth[cell]! >= 0).sort((a, b) => worth[b]! - worth[a]!);
  }

  private weight(line: number): number {
    const stones = this.count(line, this.attacker);
    return stones < 0 ? 0 : 2 ** stones;
  }

  private after(cell: number, mover: string, quiet: number): boolean {
    this.cells[cell] = mover;
    const result = this.cells.includes('.') && this.wins(mover === 'X' ? 'O' : 'X', quiet);
    this.cells[cell] = '.';
    return result;
  }

  /** A cell where `side` completes a line. */
  private holes(side: string): number[] {
    const cells = this.lines.flatMap((line, index) =>
      this.count(index, side) === this.length - 1 ? line.filter((cell) => this.cells[cell] === '.') : [],
    );
    return [...new Set(cells)];
  }

  /** The side's stones on a line, or -1 where the other side blocks it. */
  private count(line: number, side: string): number {
    let stones = 0;
    for (const cell of this.lines[line]!) {
      if (this.cells[cell] === side) stones++;
      else if (this.cells[cell] !== '.') return -1;
    }
    return stones;
  }

  private hopeless(turn: string): boolean {
    const open = this.lines.map((_, line) => this.count(line, this.attacker)).filter((stones) => stones >= 0);
    if (open.length === 0) return true;
    if (!this.options.usePotential) return false;
    const potential = open.reduce((sum, stones) => sum + 2 ** (stones - this.length), 0);
    return potential < (turn === this.attacker ? 1 / 2 : 1);
  }
}
