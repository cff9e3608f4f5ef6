import type { GetLogs, LogEntry, LogFilter, LogsData } from '@/api/logs';
import { type RealtimeConnection, RealtimeError } from '@/realtime/connection';

/** Records kept while following: some hundred screens, and at most 56 MiB of the longest there can be. */
export const MAX_RECORDS = 2_000;

/** Records of the first look back. */
const FIRST = 100;

/** Records that one question brings: as many as the server allows. */
const AT_ONCE = 100;

/** Above so many a second the server may have left some out, rather than wait for a slow reader. */
const TOO_FAST = 150;

/** Nobody reads more pictures than this apart, in milliseconds; the time between them is the person's. */
const BETWEEN_DRAWS = 100;

/** What may be missing is looked for this much later, in milliseconds, once it is calm again. */
export const SETTLE_MS = 1_500;

/** After a question that failed, in milliseconds. */
const ASK_AGAIN = 4_000;

/** There is no word for following no more; this is the filter that nothing fits. */
export const NOTHING: LogFilter = { until: '1970-01-01T00:00:00Z' };

export type Following =
  /** There is no connection; it comes back by itself. */
  | 'waiting'
  /** What was missed is being asked for. */
  | 'catchingUp'
  | 'live'
  /** The server will not tell. */
  | 'refused';

export interface LiveView {
  /** The newest first, without a gap but while `isHurried`; at most `MAX_RECORDS`. */
  records: readonly LogEntry[];
  following: Following;
  /** Why it was refused. */
  refusal: string | null;
  /** Records of the last whole second. */
  rate: number;
  /** Records arrive so fast that the server leaves some out; they are asked for once it is calm. */
  isHurried: boolean;
  /** The log has nothing older than the last record. */
  isWhole: boolean;
}

interface Options {
  filter: LogFilter;
  connection: Pick<RealtimeConnection, 'on' | 'onStatus' | 'request' | 'send' | 'status'>;
  /** A page of what there is. */
  ask: (wanted: GetLogs) => Promise<LogsData>;
  /** Calls once before the next picture is drawn. */
  beforePaint?: (draw: () => void) => void;
}

/** A record's id says where it stands: the number of its chunk, and its own in it. */
export function recordKey(id: string): readonly [chunk: number, index: number] {
  const [chunk = 0, index = 0] = id.split('-').map(Number);
  return [chunk, index];
}

/** Whether the first arrived after the second. */
export function isNewer(one: Pick<LogEntry, '_id'>, other: Pick<LogEntry, '_id'>): boolean {
  const [a, b] = [recordKey(one._id), recordKey(other._id)];
  return a[0] === b[0] ? a[1] > b[1] : a[0] > b[0];
}

/** Whether nothing can stand between two records: one is the next of the other's chunk, or the first of the next chunk. */
function follows(next: LogEntry, last: LogEntry): boolean {
  const [a, b] = [recordKey(last._id), recordKey(next._id)];
  return a[0] === b[0] ? b[1] === a[1] + 1 : b[0] === a[0] + 1 && b[1] === 0;
}

/** Both, each record once, the newest first, at most `MAX_RECORDS`. */
export function merged(fresh: readonly LogEntry[], known: readonly LogEntry[]): LogEntry[] {
  const [oldestFresh, newestKnown] = [fresh.at(-1), known[0]];
  const isOnTop = oldestFresh === undefined || newestKnown === undefined || isNewer(oldestFresh, newestKnown);
  if (isOnTop) return [...fresh, ...known].slice(0, MAX_RECORDS);
  const all = new Map([...known, ...fresh].map((record) => [record._id, record]));
  return [...all.values()].sort((a, b) => (isNewer(a, b) ? -1 : 1)).slice(0, MAX_RECORDS);
}

/**
 * The newest records of the log as they arrive, for as long as somebody listens. What the server tells is gathered and
 * shown with the next picture, however much it is, ten times a second at most. After a lost connection, and wherever the server may have left
 * records out, what is missing is asked for from the newest backwards to the last record before the gap: none is lost,
 * none is there twice.
 */
export class LiveLog {
  readonly #options: Required<Options>;
  readonly #listeners = new Set<() => void>();
  #stops: (() => void)[] = [];
  #view: LiveView = { records: [], following: 'waiting', refusal: null, rate: 0, isHurried: false, isWhole: false };
  /** Told and not shown yet, the oldest first. */
  #arrived: LogEntry[] = [];
  #isDrawn = true;
  #drawnAt = -Infinity;
  /** The server tells by this filter: what came before was told by another one. */
  #isSubscribed = false;
  #newest: LogEntry | undefined;
  /** Up to this record nothing is missing: the newest, while all goes well. */
  #sureUpTo: LogEntry | undefined;
  #mayMiss = false;
  #isAsking = false;
  /** Records of this second. */
  #count = 0;
  #settling: ReturnType<typeof setTimeout> | undefined;
  /** Counts the connections: what was asked on an earlier one says nothing any more. */
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

  /** Asks for what is older than the oldest known, as long as there is room for it. */
  async older(): Promise<void> {
    const { records, isWhole } = this.#view;
    const oldest = records.at(-1);
    if (this.#isAsking || isWhole || oldest === undefined || records.length >= MAX_RECORDS) return;
    this.#isAsking = true;
    try {
      const { logs, nextCursor } = await this.#ask(oldest._id);
      this.#change({ records: merged(logs, this.#view.records), isWhole: nextCursor === undefined });
    } catch {
      // Whoever scrolls on asks again.
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

  /** The connection is there, for the first time or again. */
  async #connected(): Promise<void> {
    const connection = (this.#connection += 1);
    this.#change({ following: 'catchingUp', refusal: null });
    try {
      await this.#options.connection.request('subscribeLogs', { filter: this.#options.filter });
    } catch (error) {
      // A lost connection is told of by itself.
      if (connection !== this.#connection) return;
      this.#change({ following: 'refused', refusal: error instanceof RealtimeError ? error.message : null });
      return;
    }
    if (connection !== this.#connection) return;
    this.#isSubscribed = true;
    await this.#catchUp();
  }

  /** From here on something may be missing. */
  #disconnected(): void {
    this.#connection += 1;
    this.#isSubscribed = false;
    this.#mayMiss = true;
    this.#change({ following: 'waiting' });
  }

  #receive(record: LogEntry): void {
    if (!this.#isSubscribed) return;
    const newest = this.#newest;
    // It was found while catching up, before the server told of it.
    if (newest !== undefined && !isNewer(record, newest)) return;
    this.#count += 1;
    const isUnfiltered = Object.keys(this.#options.filter).length === 0;
    const hasGap = isUnfiltered && newest !== undefined && !follows(record, newest);
    this.#newest = record;
    if (hasGap || this.#count > TOO_FAST) this.#suspect();
    if (!this.#mayMiss) this.#sureUpTo = record;
    this.#arrived.push(record);
    // Nothing is drawn while nobody looks at this tab.
    if (this.#arrived.length > 2 * MAX_RECORDS) this.#arrived = this.#arrived.slice(-MAX_RECORDS);
    this.#draw();
  }

  #draw(): void {
    if (!this.#isDrawn) return;
    this.#isDrawn = false;
    const draw = () => {
      this.#isDrawn = true;
      this.#drawnAt = performance.now();
      // What catching up finds is sorted in with what arrives meanwhile.
      if (this.#arrived.length === 0 || this.#view.following === 'catchingUp') return;
      const records = merged(this.#takeArrived(), this.#view.records);
      const isCut = records.length === MAX_RECORDS;
      this.#change({ records, isHurried: this.#mayMiss, ...(isCut ? { isWhole: false } : {}) });
    };
    const wait = this.#drawnAt + BETWEEN_DRAWS - performance.now();
    if (wait <= 0) this.#options.beforePaint(draw);
    else setTimeout(() => this.#options.beforePaint(draw), wait);
  }

  /** The newest first. */
  #takeArrived(): LogEntry[] {
    const arrived = this.#arrived.reverse();
    this.#arrived = [];
    return arrived;
  }

  /** Something may be missing. */
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

  /** Asks from the newest record backwards to the last one before the gap, or for as many as are kept. */
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
    // Where the gap is too wide to be filled, what lies behind it is left to the list.
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
