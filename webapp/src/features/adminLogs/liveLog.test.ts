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

  /** Writes records with the next numbers down; tells of them, too, if it is to. */
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

/** A log that somebody looks at, with a picture every 16 ms. */
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
/** Long enough for the next picture. */
const frame = () => vi.advanceTimersByTimeAsync(120);

describe('following the log', () => {
  it('begins with the newest hundred, and goes back as far as one asks', async () => {
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

  it('shows what arrives with the next picture, the newest first', async () => {
    server.write(2);
    const { log } = await following();
    server.write(3);
    expect(numbers(log)).toEqual([1, 0]);
    await frame();
    expect(numbers(log)).toEqual([4, 3, 2, 1, 0]);
    expect(draws).toBe(1);
  });

  it('loses no record and doubles none over a lost connection', async () => {
    server.write(10);
    const { log } = await following();
    server.write(5);
    await frame();
    server.go('reconnecting');
    expect(log.view().following).toBe('waiting');
    server.write(230);
    server.go('connected');
    // They arrive while what was missed is asked for.
    server.write(4);
    await frame();
    server.write(3);
    await frame();
    expect(log.view().following).toBe('live');
    expect(numbers(log)).toEqual(newestFirst(251, 0));
    expect(server.subscribed).toEqual([{}, {}]);
  });

  it('lets go what lies behind a gap that is wider than the window', async () => {
    server.write(50);
    const { log } = await following();
    server.go('reconnecting');
    server.write(MAX_RECORDS + 700);
    server.go('connected');
    await frame();
    expect(numbers(log)).toEqual(newestFirst(MAX_RECORDS + 749, 750));
    expect(log.view().isWhole).toBe(false);
  });

  it('asks for what the server left out, which the numbers of the records show', async () => {
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

  it('goes on asking while the server cannot answer', async () => {
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

  it('says why the server will not tell', async () => {
    server.refusal = new RealtimeError('unavailable', 'Too many follow the log already.');
    const { log } = await following();
    expect(log.view()).toMatchObject({ following: 'refused', refusal: 'Too many follow the log already.' });
  });

  it('takes nothing that was told by another filter', async () => {
    server.status = 'connecting';
    const { log } = await following({ level: 'error' });
    server.tell(aRecord(7));
    server.go('connected');
    server.tell(aRecord(8));
    await frame();
    expect(numbers(log)).toEqual([]);
    expect(server.subscribed).toEqual([{ level: 'error' }]);
  });

  it('ends with nobody looking', async () => {
    const { log, stop } = await following();
    stop();
    expect(server.subscribed).toEqual([{}, NOTHING]);
    server.write(1);
    await frame();
    expect(numbers(log)).toEqual([]);
  });
});

describe('a flood', () => {
  it('of 1,000 records a second is drawn ten times a second, bounded, and whole once it is calm', async () => {
    const { log } = await following();
    draws = 0;
    // A minute of it; the server leaves out what a slow reader would make it wait for.
    for (let at = 0; at < 60_000; at += 10) {
      server.write(10, at % 200 !== 0);
      await vi.advanceTimersByTimeAsync(10);
    }
    expect(draws).toBeGreaterThan(300);
    expect(draws).toBeLessThanOrEqual(600);
    expect(log.view().records).toHaveLength(MAX_RECORDS);
    expect(log.view()).toMatchObject({ isHurried: true });
    expect(log.view().rate).toBeGreaterThan(900);
    // While it lasts it is not made worse by questions.
    expect(server.asked).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(3 * SETTLE_MS);
    expect(numbers(log)).toEqual(newestFirst(59_999, 60_000 - MAX_RECORDS));
    expect(log.view()).toMatchObject({ isHurried: false, rate: 0 });
  }, 60_000);

  it('is bounded, too, while nobody sees the tab and nothing is drawn', async () => {
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
  it('are one, each record once, the newest first', () => {
    const all = someRecords(8).toReversed();
    expect(merged(all.slice(0, 3), all.slice(3))).toEqual(all);
    expect(merged(all.slice(0, 5), all.slice(2))).toEqual(all);
    expect(merged(all.slice(5), all.slice(0, 5))).toEqual(all);
    expect(merged([], all)).toEqual(all);
    expect(merged(all, [])).toEqual(all);
  });
});
