import type { GetLogs, LogEntry, LogFilter, LogsData } from '@/api/logs';

/** The record with this number: a second after the one before it, a chunk for each thousand. */
export function aRecord(number: number, over: Partial<LogEntry> = {}): LogEntry {
  const id = `${1 + Math.floor(number / 1024)}-${number % 1024}`;
  return {
    _id: id,
    logId: id,
    level: 'info',
    platform: 'server',
    service: 'http',
    message: `record ${number}`,
    timestamp: new Date(Date.UTC(2026, 10, 21, 10) + number * 1_000).toISOString(),
    ...over,
  };
}

/** Records, the oldest first. */
export const someRecords = (count: number): LogEntry[] => Array.from({ length: count }, (_, at) => aRecord(at));

/** A page of the records, as the server cuts it; `fits` does what a test needs of the filter. */
export function pageOfLogs(
  book: readonly LogEntry[],
  { page = 1, limit = 50, sortOrder, cursor, filter = {} }: GetLogs,
  fits: (record: LogEntry, filter: LogFilter) => boolean = () => true,
): LogsData {
  const fitting = book.filter((record) => fits(record, filter));
  const sorted = sortOrder === 'asc' ? fitting : fitting.toReversed();
  const [chunk = 0, index = 0] = (cursor ?? '').split('-').map(Number);
  const isBehind = ({ _id }: LogEntry) => {
    const [ofChunk = 0, ofIndex = 0] = _id.split('-').map(Number);
    const difference = ofChunk - chunk || ofIndex - index;
    return sortOrder === 'asc' ? difference > 0 : difference < 0;
  };
  const rest = cursor === undefined ? sorted.slice((page - 1) * limit) : sorted.filter(isBehind);
  const logs = rest.slice(0, limit);
  const hasNextPage = rest.length > limit;
  return {
    logs,
    pagination: { currentPage: page, limit, totalCount: fitting.length, hasPrevPage: page > 1, hasNextPage },
    ...(hasNextPage ? { nextCursor: logs.at(-1)?._id ?? '' } : {}),
  };
}
