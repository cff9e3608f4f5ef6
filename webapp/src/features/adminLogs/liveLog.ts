import type { GetLogs, LogEntry, LogFilter, LogsData } from '@/api/logs';
import { type RealtimeConnection, RealtimeError } from '@/realtime/connection';

/** The most records kept in live mode: some hundred screens, at most 56 MiB of the longest records. */
export const MAX_RECORDS = 2_000;

/** Records of the first request. */
const FIRST = 100;

/** Records per request: as many as the server allows. */
const AT_ONCE = 100;

/** Above this rate, in records per second, the server may skip some for a slow reader. */
const TOO_FAST = 150;

/** The shortest time between two renders, in milliseconds; it leaves time for input. */
const BETWEEN_DRAWS = 100;

/** Missing records are requested this long after the rate has dropped, in milliseconds. */
export const SETTLE_MS = 1_500;

/** Delay after a failed request, in milliseconds. */
const ASK_AGAIN = 4_000;

/** There is no frame to unsubscribe, so this filter matches nothing. */
export const NOTHING: LogFilter = { until: '1970-01-01T00:00:00Z' };

export type Following =
  /** No connection; it is restored automatically. */
  | 'waiting'
  /** Missed records are being loaded. */
  | 'catchingUp'
  | 'live'
  /** The server refused the subscription. */
  | 'refused';

export interface LiveView {
  /** Newest first, without gaps except while `isHurried`; at most `MAX_RECORDS`. */
  records: readonly LogEntry[];
  following: Following;
  /** The reason for the refusal. */
  refusal: string | null;
  /** Records in the last full second. */
  rate: number;
  /** Records arrive so fast that the server skips some; they are loaded when the rate drops. */
  isHurried: boolean;
  /** The log has no older records. */
  isWhole: boolean;
}

interface Options {
  filter: LogFilter;
  connection: Pick<RealtimeConnection, 'on' | 'onStatus' | 'request' | 'send' | 'status'>;
  /** Loads a page of records. */
  ask: (wanted: GetLogs) => Promise<LogsData>;
  /** Calls back once before the next paint. */
  beforePaint?: (draw: () => void) => void;
}

/** The position of a record from its id: the number of its chunk and its index in it. */
export function recordKey(id: string): readonly [chunk: number, index: number] {
  const [chunk = 0, index = 0] = id.split('-').map(Number);
  return [chunk, index];
}

/** Whether the first arrived after the second. */
export function isNewer(one: Pick<LogEntry, '_id'>, other: Pick<LogEntry, '_id'>): boolean {
  const [a, b] = [recordKey(one._id), recordKey(other._id)];
  return a[0] === b[0] ? a[1] > b[1] : a[0] > b[0];
}

/** Whether no record can be between two: the next in the chunk, or the first of the next chunk. */
function follows(next: LogEntry, last: LogEntry): boolean {
  const [a, b] = [recordKey(last._id), recordKey(next._id)];
  return a[0] === b[0] ? b[1] === a[1] + 1 : b[0] === a[0] + 1 && b[1] === 0;
}

/** Merges both without duplicates, newest first, at most `MAX_RECORDS`. */
export function merged(fresh: readonly LogEntry[], known: readonly LogEntry[]): LogEntry[] {
  const [oldestFresh, newestKnown] = [fresh.at(-1), known[0]];
  const isOnTop = oldestFresh === undefined || newestKnown === undefined || isNewer(oldestFresh, newestKnown);
  if (isOnTop) return [...fresh, ...known].slice(0, MAX_RECORDS);
  const all = new Map([...known, ...fresh].map((record) => [record._id, record]));
  return [...all.values()].sort((a, b) => (isNewer(a, b) ? -1 : 1)).slice(0, MAX_RECORDS);
}

/**
 * The newest records of the log as they arrive, while it has a listener. Records are batched and rendered at most ten
 * times a second. After a lost connection, and where the server may have skipped records, the missing ones are loaded
 * from the newest backwards to the last record before the gap, so that none is lost or duplicated.
 */
export class LiveLog {
  readonly #options: Required<Options>;
  readonly #listeners = new Set<() => void>();
  #stops: (() => void)[] = [];
  #view: LiveView = { records: [], following: 'waiting', refusal: null, rate: 0, isHurried: false, isWhole: false };
  /** Received but not rendered yet, oldest first. */
  #arrived: LogEntry[] = [];
  #isDrawn = true;
  #drawnAt = -Infinity;
  /** The server has confirmed this filter; earlier records belong to a previous one. */
  #isSubscribed = false;
  #newest: LogEntry | undefined;
  /** No record up to this one is missing; normally the newest. */
  #sureUpTo: LogEntry | undefined;
  #mayMiss = false;
  #isAsking = false;
  /** Records in the current second. */
  #count = 0;
  #settling: ReturnType<typeof setTimeout> | undefined;
  /** Counts connections: responses on earlier ones are ignored. */
  #connection = 0;

  constructor(options: Options) {
    this.#options = { beforePaint: (draw) => requestAnimationFrame(draw), ...options };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    if (this.#listeners.size === 0) this.#start();
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#stop();
    };
  };

  readonly view = (): LiveView => this.#view;

  /** Loads records older than the oldest known, up to the limit. */
  async older(): Promise<void> {
    const { records, isWhole } = this.#view;
    const oldest = records.at(-1);
    if (this.#isAsking || isWhole || oldest === undefined || records.length >= MAX_RECORDS) return;
    this.#isAsking = true;
    try {
      const { logs, nextCursor } = await this.#ask(oldest._id);
      this.#change({ records: merged(logs, this.#view.records), isWhole: nextCursor === undefined });
    } catch {
      // Further scrolling tries again.
    } finally {
      this.#isAsking = false;
    }
  }

  #start(): void {
    const { connection } = this.#options;
    const seconds = setInterval(() => this.#countAnew(), 1_000);
    this.#stops = [
      () => clearInterval(seconds),
      connection.on('logAppended', (record) => this.#receive(record)),
      connection.onStatus((status) => (status === 'connected' ? void this.#connected() : this.#disconnected())),
    ];
    if (connection.status === 'connected') void this.#connected();
  }

  #stop(): void {
    this.#disconnected();
    for (const stop of this.#stops) stop();
    clearTimeout(this.#settling);
    this.#settling = undefined;
    this.#options.connection.send('subscribeLogs', { filter: NOTHING });
  }

  /** The connection was established or restored. */
  async #connected(): Promise<void> {
    const connection = (this.#connection += 1);
    this.#change({ following: 'catchingUp', refusal: null });
    try {
      await this.#options.connection.request('subscribeLogs', { filter: this.#options.filter });
    } catch (error) {
      // A lost connection is reported separately.
      if (connection !== this.#connection) return;
      this.#change({ following: 'refused', refusal: error instanceof RealtimeError ? error.message : null });
      return;
    }
    if (connection !== this.#connection) return;
    this.#isSubscribed = true;
    await this.#catchUp();
  }

  /** From here on records may be missing. */
  #disconnected(): void {
    this.#connection += 1;
    this.#isSubscribed = false;
    this.#mayMiss = true;
    this.#change({ following: 'waiting' });
  }

  #receive(record: LogEntry): void {
    if (!this.#isSubscribed) return;
    const newest = this.#newest;
    // It was loaded while catching up, before its frame arrived.
    if (newest !== undefined && !isNewer(record, newest)) return;
    this.#count += 1;
    const isUnfiltered = Object.keys(this.#options.filter).length === 0;
    const hasGap = isUnfiltered && newest !== undefined && !follows(record, newest);
    this.#newest = record;
    if (hasGap || this.#count > TOO_FAST) this.#suspect();
    if (!this.#mayMiss) this.#sureUpTo = record;
    this.#arrived.push(record);
    // Nothing is rendered while the tab is hidden.
    if (this.#arrived.length > 2 * MAX_RECORDS) this.#arrived = this.#arrived.slice(-MAX_RECORDS);
    this.#draw();
  }

  #draw(): void {
    if (!this.#isDrawn) return;
    this.#isDrawn = false;
    const draw = () => {
      this.#isDrawn = true;
      this.#drawnAt = performance.now();
      // Records loaded while catching up are merged with those that arrive meanwhile.
      if (this.#arrived.length === 0 || this.#view.following === 'catchingUp') return;
      const records = merged(this.#takeArrived(), this.#view.records);
      const isCut = records.length === MAX_RECORDS;
      this.#change({ records, isHurried: this.#mayMiss, ...(isCut ? { isWhole: false } : {}) });
    };
    const wait = this.#drawnAt + BETWEEN_DRAWS - performance.now();
    if (wait <= 0) this.#options.beforePaint(draw);
    else setTimeout(() => this.#options.beforePaint(draw), wait);
  }

  /** Newest first. */
  #takeArrived(): LogEntry[] {
    const arrived = this.#arrived.reverse();
    this.#arrived = [];
    return arrived;
  }

  /** Records may be missing. */
  #suspect(after = SETTLE_MS): void {
    this.#mayMiss = true;
    this.#settling ??= setTimeout(() => {
      this.#settling = undefined;
      if (!this.#isSubscribed) return;
      const isCalm = Math.max(this.#view.rate, this.#count) <= TOO_FAST;
      if (isCalm) void this.#catchUp();
      else this.#suspect();
    }, after);
  }

  /** Loads from the newest record backwards to the last one before the gap, or up to the limit. */
  async #catchUp(): Promise<void> {
    if (this.#isAsking) return this.#suspect();
    const connection = this.#connection;
    const known = this.#sureUpTo;
    const most = known === undefined ? FIRST : MAX_RECORDS;
    const found: LogEntry[] = [];
    let hasReached = false;
    let cursor: string | undefined;
    this.#isAsking = true;
    this.#change({ following: 'catchingUp' });
    try {
      do {
        const page = await this.#ask(cursor);
        if (connection !== this.#connection) return;
        found.push(...page.logs);
        cursor = page.nextCursor;
        const oldest = page.logs.at(-1);
        hasReached = known !== undefined && (oldest === undefined || !isNewer(oldest, known));
      } while (cursor !== undefined && !hasReached && found.length < most);
    } catch {
      if (connection !== this.#connection) return;
      this.#suspect(ASK_AGAIN);
      this.#change({ following: 'live' });
      return;
    } finally {
      this.#isAsking = false;
    }
    // If the gap is too wide to fill, older records are left to the list.
    const behind = hasReached ? this.#view.records : [];
    const records = merged(found, merged(this.#takeArrived(), behind));
    const [newest] = records;
    this.#mayMiss = false;
    this.#sureUpTo = newest;
    if (newest !== undefined && (this.#newest === undefined || isNewer(newest, this.#newest))) this.#newest = newest;
    const isWhole = hasReached ? this.#view.isWhole : cursor === undefined;
    this.#change({ records, following: 'live', isHurried: false, isWhole });
  }

  #ask(cursor?: string): Promise<LogsData> {
    const { filter, ask } = this.#options;
    return ask({ filter, limit: AT_ONCE, sortOrder: 'desc', ...(cursor === undefined ? {} : { cursor }) });
  }

  #countAnew(): void {
    const rate = this.#count;
    this.#count = 0;
    if (rate !== this.#view.rate) this.#change({ rate });
  }

  #change(change: Partial<LiveView>): void {
    this.#view = { ...this.#view, ...change };
    for (const listener of this.#listeners) listener();
  }
}
