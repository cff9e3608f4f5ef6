/** The work a search may still do. Time is a function, so that a search stays pure and a test can control the clock. */

export interface Budget {
  /** Milliseconds of `now`; Infinity when absent. */
  readonly ms?: number;
  /** Nodes; Infinity when absent. Unlike time, gives the same result on every machine. */
  readonly nodes?: number;
  /** Milliseconds from any origin. */
  readonly now?: () => number;
}

/** A node costs 20 to 100 µs, so the clock is late by a millisecond or so. */
const NODES_BETWEEN_LOOKS = 16;

export class Effort {
  nodes = 0;
  private readonly maxNodes: number;
  private readonly deadline: number;
  private readonly now: () => number;
  private over = false;

  constructor({ ms = Infinity, nodes = Infinity, now = () => performance.now() }: Budget) {
    this.maxNodes = nodes;
    this.now = now;
    this.deadline = ms === Infinity ? Infinity : now() + ms;
    this.over = nodes <= 0 || ms <= 0;
  }

  /** Counts a node. */
  spend(): void {
    this.nodes++;
    if (this.nodes >= this.maxNodes) this.over = true;
    else if (this.deadline !== Infinity && this.nodes % NODES_BETWEEN_LOOKS === 0)
      this.over ||= this.now() >= this.deadline;
  }

  get isOver(): boolean {
    return this.over;
  }

  /** A part of what is left, for an optional search; what that uses counts here when `absorb`ed. */
  part(share: number, maxNodes: number): Effort {
    const left = this.deadline === Infinity ? Infinity : Math.max(0, (this.deadline - this.now()) * share);
    return new Effort({ ms: left, nodes: Math.min(maxNodes, this.maxNodes - this.nodes), now: this.now });
  }

  absorb(part: Effort): void {
    this.nodes += part.nodes;
    if (this.nodes >= this.maxNodes) this.over = true;
  }
}
