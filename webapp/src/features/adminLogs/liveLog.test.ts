import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { GetLogs, LogEntry, LogFilter, LogsData } from '@/api/logs';
import { type ConnectionStatus, RealtimeError } from '@/realtime/connection';
import { LiveLog, merged, MAX_RECORDS, NOTHING, SETTLE_MS } from './liveLog';
import { aRecord, pageOfLogs, someRecords } from './testing/someLogs';

/** The server's log, and its realtime channel to this page. */
class FakeServer {
  status: ConnectionStatus = 'connected';
  book: LogEntry[] = [];
  asked: GetLogs[] = [];
  subscribed: LogFilter[] = [];
  refusal: RealtimeError | undefined;
  failsToAnswer = false;
  #hears: ((record: LogEntry) => void) | undefined;
  #seesStatus: ((status: ConnectionStatus) => void) | undefined;

  on(_event: string, handler: (data: never) => void) {
    this.#hears = handler as (record: LogEntry) => void;
    return () => (this.#hears = undefined);
  }

  onStatus(handler: (status: ConnectionStatus) => void) {
    this.#seesStatus = handler;
    return () => (this.#seesStatus = undefined);
  }

  request(_event: string, { filter }: { filter?: LogFilter }) {
    this.subscribed.push(filter ?? {});
    return this.refusal === undefined ? Promise.resolve({ succeeded: true }) : Promise.reject(this.refusal);
  }

  send(_event: string, { filter }: { filter?: LogFilter }) {
    this.subscribed.push(filter ?? {});
  }

  readonly ask = (wanted: GetLogs): Promise<LogsData> => {
    this.asked.push(wanted);
    return this.failsToAnswer ? Promise.reject(new Error('500')) : Promise.resolve(pageOfLogs(this.book, wanted));
  };

  /** Stores records with the next numbers, and announces them unless told otherwise. */
  write(count: number, tells = true): void {
    for (let written = 0; written < count; written += 1) {
      const record = aRecord(this.book.length);
      this.book.push(record);
      if (tells && this.status === 'connected') this.#hears?.(record);
    }
  }

  tell(record: LogEntry): void {
    this.#hears?.(record);
  }

  go(status: ConnectionStatus): void {
    this.status = status;
    this.#seesStatus?.(status);
  }
}

let server: FakeServer;
let draws: number;

beforeEach(() => {
  vi.useFakeTimers();
  server = new FakeServer();
  draws = 0;
});
afterEach(() => vi.useRealTimers());

/** A log on the screen, with a frame every 16 ms. */
async function following(filter: LogFilter = {}) {
  const log = new LiveLog({
    filter,
    connection: server as never,
    ask: server.ask,
    beforePaint: (draw) => {
      setTimeout(() => {
        draws += 1;
        draw();
      }, 16);
    },
  });
  const stop = log.subscribe(() => undefined);
  await vi.advanceTimersByTimeAsync(20);
  return { log, stop };
}

const numbers = (log: LiveLog) => log.view().records.map(({ message }) => Number(message.split(' ')[1]));
const newestFirst = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, at) => from - at);
/** Long enough for the next frame. */
const frame = () => vi.advanceTimersByTimeAsync(120);

describe('following the log', () => {
  it('starts with the newest hundred, and loads older records on request', async () => {
    server.write(250);
    const { log } = await following();
    expect(server.subscribed).toEqual([{}]);
    expect(log.view()).toMatchObject({ following: 'live', isWhole: false });
    expect(numbers(log)).toEqual(newestFirst(249, 150));
    await log.older();
    await log.older();
    expect(numbers(log)).toEqual(newestFirst(249, 0));
    expect(log.view().isWhole).toBe(true);
  });

  it('shows new records in the next frame, the newest first', async () => {
    server.write(2);
    const { log } = await following();
    server.write(3);
    expect(numbers(log)).toEqual([1, 0]);
    await frame();
    expect(numbers(log)).toEqual([4, 3, 2, 1, 0]);
    expect(draws).toBe(1);
  });

  it('neither loses nor duplicates records when the connection is lost', async () => {
    server.write(10);
    const { log } = await following();
    server.write(5);
    await frame();
    server.go('reconnecting');
    expect(log.view().following).toBe('waiting');
    server.write(230);
    server.go('connected');
    // They arrive while the missed records are requested.
    server.write(4);
    await frame();
    server.write(3);
    await frame();
    expect(log.view().following).toBe('live');
    expect(numbers(log)).toEqual(newestFirst(251, 0));
    expect(server.subscribed).toEqual([{}, {}]);
  });

  it('discards what is older than a gap wider than the window', async () => {
    server.write(50);
    const { log } = await following();
    server.go('reconnecting');
    server.write(MAX_RECORDS + 700);
    server.go('connected');
    await frame();
    expect(numbers(log)).toEqual(newestFirst(MAX_RECORDS + 749, 750));
    expect(log.view().isWhole).toBe(false);
  });

  it('requests records that the server left out, which it detects by their numbers', async () => {
    server.write(3);
    const { log } = await following();
    server.write(2);
    server.write(6, false);
    server.write(1);
    await frame();
    expect(numbers(log)).toEqual([11, 4, 3, 2, 1, 0]);
    await vi.advanceTimersByTimeAsync(SETTLE_MS);
    expect(numbers(log)).toEqual(newestFirst(11, 0));
  });

  it('requests the begin of a chunk of which it heard only a later record', async () => {
    server.book = someRecords(1_023);
    const { log } = await following();
    server.write(1);
    server.write(2, false);
    server.write(1);
    await vi.advanceTimersByTimeAsync(SETTLE_MS + 120);
    expect(numbers(log).slice(0, 4)).toEqual([1_026, 1_025, 1_024, 1_023]);
  });

  it('repeats a request while the server cannot respond', async () => {
    server.write(3);
    const { log } = await following();
    server.go('reconnecting');
    server.write(3);
    server.failsToAnswer = true;
    server.go('connected');
    await frame();
    server.write(1);
    await frame();
    expect(numbers(log)).toEqual([6, 2, 1, 0]);
    server.failsToAnswer = false;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(numbers(log)).toEqual(newestFirst(6, 0));
  });

  it('reports why the server refuses', async () => {
    server.refusal = new RealtimeError('unavailable', 'Too many follow the log already.');
    const { log } = await following();
    expect(log.view()).toMatchObject({ following: 'refused', refusal: 'Too many follow the log already.' });
  });

  it('does not report the refusal of a connection that is lost', async () => {
    const { log } = await following();
    server.go('reconnecting');
    server.refusal = new RealtimeError('disconnected', 'The connection was lost.');
    server.go('connected');
    server.go('reconnecting');
    await frame();
    expect(log.view()).toMatchObject({ following: 'waiting', refusal: null });
  });

  it('ignores records sent for another filter', async () => {
    server.status = 'connecting';
    const { log } = await following({ level: 'error' });
    server.tell(aRecord(7));
    server.go('connected');
    server.tell(aRecord(8));
    await frame();
    expect(numbers(log)).toEqual([]);
    expect(server.subscribed).toEqual([{ level: 'error' }]);
  });

  it('ends when nothing shows it any more', async () => {
    const { log, stop } = await following();
    stop();
    expect(server.subscribed).toEqual([{}, NOTHING]);
    server.write(1);
    await frame();
    expect(numbers(log)).toEqual([]);
  });
});

describe('a flood', () => {
  it('of 1,000 records a second is drawn ten times a second, is bounded, and is complete once it has ended', async () => {
    const { log } = await following();
    draws = 0;
    // A minute of it; the server leaves records out rather than wait for a slow reader.
    for (let at = 0; at < 60_000; at += 10) {
      server.write(10, at % 200 !== 0);
      await vi.advanceTimersByTimeAsync(10);
    }
    expect(draws).toBeGreaterThan(300);
    expect(draws).toBeLessThanOrEqual(600);
    expect(log.view().records).toHaveLength(MAX_RECORDS);
    expect(log.view()).toMatchObject({ isHurried: true });
    expect(log.view().rate).toBeGreaterThan(900);
    // No requests are sent while it lasts.
    expect(server.asked).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(3 * SETTLE_MS);
    expect(numbers(log)).toEqual(newestFirst(59_999, 60_000 - MAX_RECORDS));
    expect(log.view()).toMatchObject({ isHurried: false, rate: 0 });
  }, 60_000);

  it('is bounded also while the tab is hidden and nothing is drawn', async () => {
    const log = new LiveLog({
      filter: {},
      connection: server as never,
      ask: server.ask,
      beforePaint: () => undefined,
    });
    log.subscribe(() => undefined);
    await frame();
    server.write(50_000);
    expect(log.view().records).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(3 * SETTLE_MS);
    expect(numbers(log)).toEqual(newestFirst(49_999, 50_000 - MAX_RECORDS));
  }, 60_000);
});

describe('two lists', () => {
  it('are merged, each record once, the newest first', () => {
    const all = someRecords(8).toReversed();
    expect(merged(all.slice(0, 3), all.slice(3))).toEqual(all);
    expect(merged(all.slice(0, 5), all.slice(2))).toEqual(all);
    expect(merged(all.slice(5), all.slice(0, 5))).toEqual(all);
    expect(merged([], all)).toEqual(all);
    expect(merged(all, [])).toEqual(all);
  });
});
