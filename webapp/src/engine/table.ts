/**
 * Fixed-size hash tables keyed by exact positions. When a bucket is full, the entry that cost the least work is
 * replaced; what is lost can be computed again. Memory is typed arrays allocated once, so a table never grows.
 */

const BUCKET = 4;
/** No key: the upper half of a position's key is below 2^29. */
const FREE = -1;

class KeyedSlots {
  protected readonly capacity: number;
  private readonly first: Int32Array;
  private readonly second: Int32Array;
  private readonly work: Uint8Array;
  private readonly bucketMask: number;

  constructor(bits: number) {
    this.capacity = 1 << bits;
    this.bucketMask = this.capacity / BUCKET - 1;
    this.first = new Int32Array(this.capacity);
    this.second = new Int32Array(this.capacity).fill(FREE);
    this.work = new Uint8Array(this.capacity);
  }

  /** The slot of a key, or -1. */
  find(first: number, second: number): number {
    const start = this.bucketOf(first, second);
    for (let slot = start; slot < start + BUCKET; slot++) {
      if (this.first[slot] === first && this.second[slot] === second) return slot;
    }
    return -1;
  }

  /** The slot of a key, if necessary taken from another key; its payload is then stale. `work` is 0 to 255. */
  claim(first: number, second: number, work: number): number {
    const start = this.bucketOf(first, second);
    let cheapest = start;
    let least = Infinity;
    for (let slot = start; slot < start + BUCKET; slot++) {
      if (this.first[slot] === first && this.second[slot] === second) {
        cheapest = slot;
        break;
      }
      const cost = this.second[slot] === FREE ? -1 : this.work[slot]!;
      if (cost < least) {
        least = cost;
        cheapest = slot;
      }
    }
    this.first[cheapest] = first;
    this.second[cheapest] = second;
    this.work[cheapest] = work;
    return cheapest;
  }

  private bucketOf(first: number, second: number): number {
    let hash = Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
    return ((hash ^ (hash >>> 13)) & this.bucketMask) * BUCKET;
  }
}

/** Proof and disproof numbers: 13 bytes per entry. */
export class ProofTable extends KeyedSlots {
  readonly proof: Uint16Array;
  readonly disproof: Uint16Array;

  constructor(bits: number) {
    super(bits);
    this.proof = new Uint16Array(this.capacity);
    this.disproof = new Uint16Array(this.capacity);
  }

  store(first: number, second: number, proof: number, disproof: number, work: number): void {
    const slot = this.claim(first, second, work);
    this.proof[slot] = proof;
    this.disproof[slot] = disproof;
  }
}

/** In how few stones a side wins: 11 bytes per entry. */
export class DistanceTable extends KeyedSlots {
  /** The fewest stones with which the win is proven, 0 for none yet. */
  readonly enough: Uint8Array;
  /** The largest number of stones that is proven too small. */
  readonly tooFew: Uint8Array;

  constructor(bits: number) {
    super(bits);
    this.enough = new Uint8Array(this.capacity);
    this.tooFew = new Uint8Array(this.capacity);
  }

  storeEnough(first: number, second: number, stones: number): void {
    const known = this.find(first, second);
    const slot = known >= 0 ? known : this.claim(first, second, stones);
    if (known < 0) this.tooFew[slot] = 0;
    this.enough[slot] = stones;
  }

  storeTooFew(first: number, second: number, stones: number): void {
    const known = this.find(first, second);
    const slot = known >= 0 ? known : this.claim(first, second, stones);
    if (known < 0) this.enough[slot] = 0;
    this.tooFew[slot] = stones;
  }
}
