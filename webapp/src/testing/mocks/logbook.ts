/** The mock server's log: some hundred records of the last day, and new ones while somebody follows it. */

import type { components } from '@/api/schema';
import type { GetLogs, LogEntry, LogFilter, LogLevel, LogStats } from '@/api/logs';
import { paged } from './paging';
import { invalid } from './refusal';
import type { Send } from './rooms';

type ClientLog = components['schemas']['ClientLog'];

/** Records of a chunk, by which they are numbered. */
const CHUNK = 1_024;
const HOUR = 3_600_000;
/** The number of records at the start. */
const SEEDED = 420;
const LEVELS: LogLevel[] = ['error', 'warning', 'info', 'debug'];
const SERVICES = [
  'account',
  'app',
  'billing',
  'cli',
  'config',
  'engine',
  'http',
  'logbook',
  'mail',
  'play',
  'realtime',
  'store',
  'tournament',
  'webapp',
];

type Said = Pick<LogEntry, 'level' | 'service' | 'message'> & Partial<LogEntry>;

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36';

/** Templates of records; the last ones are the rarest. */
const SAYINGS: ((request: string) => Said)[] = [
  () => ({
    level: 'info',
    service: 'http',
    message: 'answered',
    context: `status=200 latency_ms=${(Math.random() * 9).toFixed(3)}`,
    fileName: 'appliance/src/http/request_log.rs:61',
  }),
  () => ({
    level: 'info',
    service: 'http',
    message: 'answered',
    context: `status=${any(['200', '200', '401', '404', '409', '422'])} latency_ms=${(Math.random() * 30).toFixed(3)}`,
    fileName: 'appliance/src/http/request_log.rs:61',
  }),
  () => ({
    level: 'debug',
    service: 'realtime',
    message: 'an upgrade was not completed',
    context: 'error=the client went away',
    fileName: 'appliance/src/realtime.rs:68',
  }),
  () => ({
    level: 'info',
    service: 'tournament',
    message: 'events recovered',
    context: 'open=4',
    fileName: 'appliance/src/events.rs:126',
  }),
  () => ({
    level: 'warning',
    service: 'mail',
    message: 'a mail could not be sent; trying again',
    context: 'error=connection refused (smtp.example.org:587) attempt=2',
    fileName: 'appliance/src/mail.rs:200',
  }),
  () => ({
    level: 'warning',
    service: 'account',
    message: 'a sign-in with the identity provider was refused',
    context: 'issuer=https://accounts.example.org cause=the token is 9 minutes old',
    fileName: 'appliance/src/account/provider.rs:419',
  }),
  () => ({
    level: 'warning',
    service: 'webapp',
    platform: 'web',
    message: 'Session expired, logging out...',
    context: JSON.stringify({ page: '/app/home', detail: { status: 401, code: 'not-signed-in' }, browser: BROWSER }),
  }),
  (request) => ({
    level: 'error',
    service: 'webapp',
    platform: 'web',
    message: 'GET /api/backend/event: 500',
    context: JSON.stringify({ page: '/app/events', browser: BROWSER }),
    requestId: request,
  }),
  () => ({
    level: 'error',
    service: 'webapp',
    platform: 'web',
    message: "TypeError: Cannot read properties of undefined (reading 'position')",
    context: JSON.stringify({ page: '/app/practice/ai', browser: BROWSER }),
    fileName: 'https://play.example.org/assets/PracticeView-Bq2x.js:41',
    stack: [
      "TypeError: Cannot read properties of undefined (reading 'position')",
      '    at useOpponent (https://play.example.org/assets/PracticeView-Bq2x.js:41:1187)',
      '    at PracticeView (https://play.example.org/assets/PracticeView-Bq2x.js:96:402)',
      '    at renderWithHooks (https://play.example.org/assets/vendor-C81a.js:12:48210)',
      '    at updateFunctionComponent (https://play.example.org/assets/vendor-C81a.js:12:61877)',
    ].join('\n'),
  }),
  (request) => ({
    level: 'error',
    service: 'store',
    message: 'the store does not answer',
    context: 'error=the write took longer than 5 s waiting=118',
    fileName: 'appliance/src/http/fault.rs:143',
    requestId: request,
    stack: [
      '   0: morpion_store::journal::Committer::commit',
      '             at appliance/store/src/journal.rs:214',
      '   1: morpion_appliance::play::table::Table::apply',
      '             at appliance/src/play/table.rs:167',
      '   2: morpion_appliance::realtime::connection::handle',
      '             at appliance/src/realtime/connection.rs:203',
    ].join('\n'),
  }),
];

function any<T>(of: readonly T[]): T {
  return of[Math.floor(Math.random() * of.length)] as T;
}

/** Picks a random element; the first ones are much more likely than the last. */
function usual<T>(of: readonly T[]): T {
  return of[Math.floor(Math.random() ** 2.2 * of.length)] as T;
}

export class LogBook {
  /** The oldest first. */
  #records: LogEntry[] = [];
  #count = 0;
  readonly #followers = new Map<Send, LogFilter>();
  readonly #userIds: string[];
  readonly #everyMs: number | undefined;
  #arriving: ReturnType<typeof setInterval> | undefined;

  /** @param everyMs the interval of new records while somebody follows, in milliseconds; none if absent. */
  constructor(userIds: string[], everyMs: number | undefined) {
    this.#userIds = userIds;
    this.#everyMs = everyMs;
    const now = Date.now();
    // Denser towards now.
    const ages = Array.from({ length: SEEDED }, () => Math.random() ** 1.5 * 26 * HOUR).sort((a, b) => b - a);
    for (const age of ages) this.#happen(now - age);
  }

  /** Adds a record; a failed call gets one from the server and one from the page. */
  #happen(at: number): void {
    const request = crypto.randomUUID();
    const whose = Math.random() < 0.6 ? { userId: any(this.#userIds), sessionId: any(SESSIONS) } : {};
    const said = usual(SAYINGS)(request);
    this.add({ ...whose, requestId: request, ...said }, at);
    if (said.level !== 'error' || said.requestId === undefined) return;
    const latency = `status=500 latency_ms=${(5_000 + Math.random() * 90).toFixed(3)}`;
    const fileName = 'appliance/src/http/request_log.rs:60';
    const answered: Said = { level: 'error', service: 'http', message: 'answered', context: latency, fileName };
    this.add({ ...whose, requestId: request, ...answered }, at + 4);
  }

  add(said: Said, at = Date.now()): void {
    const id = `${1 + Math.floor(this.#count / CHUNK)}-${this.#count % CHUNK}`;
    this.#count += 1;
    const record: LogEntry = {
      _id: id,
      logId: id,
      platform: 'server',
      timestamp: new Date(at).toISOString(),
      ...said,
    };
    this.#records.push(record);
    for (const [send, filter] of this.#followers) if (fits(record, filter)) send('logAppended', record);
  }

  /** What a page reports. */
  note({ level, message, fileName, context, stack, requestId, platform = 'web' }: ClientLog, userId?: string): void {
    this.add({
      level,
      message,
      platform: platform === 'server' ? 'web' : platform,
      service: 'webapp',
      claimed: requestId === undefined ? ['platform'] : ['platform', 'requestId'],
      ...(fileName === undefined ? {} : { fileName }),
      ...(context === undefined ? {} : { context }),
      ...(stack === undefined ? {} : { stack }),
      ...(requestId === undefined ? {} : { requestId }),
      ...(userId === undefined ? {} : { userId }),
    });
  }

  page({ filter = {}, sortBy, sortOrder, cursor, ...page }: GetLogs) {
    if (sortBy !== undefined && sortBy !== 'timestamp') throw invalid('sortBy', 'Logs are sorted by timestamp.');
    const all = this.all(filter);
    const sorted = sortOrder === 'asc' ? all : all.toReversed();
    // A cursor is a position in the order, even if its record was deleted.
    const begin = cursor === undefined ? 0 : sorted.findIndex((each) => isBehind(each._id, cursor, sortOrder));
    const rest = begin === -1 ? [] : sorted.slice(begin);
    const { items, pagination } = paged(rest, cursor === undefined ? page : { ...page, page: 1 });
    const last = pagination.hasNextPage ? items.at(-1)?._id : undefined;
    return { data: { logs: items, pagination, ...(last === undefined ? {} : { nextCursor: last }) } };
  }

  /** Matching records, the oldest first. */
  all(filter: LogFilter): LogEntry[] {
    return this.#records.filter((record) => fits(record, filter));
  }

  stats(): LogStats {
    const latest = Math.floor(Date.now() / HOUR);
    const of = (level: LogLevel) => this.#records.filter((record) => record.level === level);
    const hourly = (level: LogLevel) => {
      const hours = new Array<number>(24).fill(0);
      for (const { timestamp } of of(level)) {
        const hour = 23 - (latest - Math.floor(Date.parse(timestamp) / HOUR));
        if (hour >= 0) hours[hour] = (hours[hour] ?? 0) + 1;
      }
      return hours;
    };
    const byLevel = Object.fromEntries(LEVELS.map((level) => [level, hourly(level)]));
    const sum = (values: number[] = []) => values.reduce((total, value) => total + value, 0);
    const last24Hours = sum(Object.values(byLevel).map(sum));
    return {
      levelStats: Object.fromEntries(LEVELS.map((level) => [level, of(level).length])),
      recentActivity: { last24Hours, errorRate: sum(byLevel.error) / Math.max(1, last24Hours) },
      hourly: byLevel,
      services: SERVICES,
      dropped: 0,
    };
  }

  /** Deletes records older than a time, or all, and returns their number. */
  clear(before?: string): number {
    const kept = before === undefined ? [] : this.#records.filter(({ timestamp }) => timestamp >= before);
    const cleared = this.#records.length - kept.length;
    this.#records = kept;
    return cleared;
  }

  follow(send: Send, filter: LogFilter): void {
    this.#followers.set(send, filter);
    if (this.#everyMs !== undefined) this.#arriving ??= setInterval(() => this.#happen(Date.now()), this.#everyMs);
  }

  unfollow(send: Send): void {
    this.#followers.delete(send);
    if (this.#followers.size > 0) return;
    clearInterval(this.#arriving);
    this.#arriving = undefined;
  }
}

const SESSIONS = Array.from({ length: 5 }, () => crypto.randomUUID());

function isBehind(id: string, cursor: string, order: GetLogs['sortOrder']): boolean {
  const [chunk = 0, index = 0] = id.split('-').map(Number);
  const [ofChunk = 0, ofIndex = 0] = cursor.split('-').map(Number);
  const difference = chunk - ofChunk || index - ofIndex;
  return order === 'asc' ? difference > 0 : difference < 0;
}

function fits(record: LogEntry, filter: LogFilter): boolean {
  const { level, platform, service, userId, sessionId, requestId, text, since, until } = filter;
  const same = (wanted: string | undefined, has: string | undefined) => wanted === undefined || wanted === has;
  const at = Date.parse(record.timestamp);
  const texts = [record.message, record.context, record.fileName, record.stack];
  return (
    (level === undefined || [level].flat().includes(record.level)) &&
    same(platform, record.platform) &&
    same(service, record.service) &&
    same(userId, record.userId) &&
    same(sessionId, record.sessionId) &&
    same(requestId, record.requestId) &&
    (since === undefined || at >= Date.parse(since)) &&
    (until === undefined || at <= Date.parse(until)) &&
    (text === undefined || texts.some((each) => each?.toLowerCase().includes(text.trim().toLowerCase())))
  );
}
