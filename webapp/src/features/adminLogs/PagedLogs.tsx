import { Button } from '@mantine/core';
import { errorText } from '@/api/base';
import { type LogStats, useLogsQuery } from '@/api/logs';
import { EmptyList } from '@/shared/ui/EmptyList';
import { LoadFailure } from '@/shared/ui/LoadFailure';
import { Pager } from '@/shared/ui/Pager';
import { LEVELS } from './levels';
import { LogCard } from './LogCard';
import { LogDetail } from './LogDetail';
import { type LogFilters, toPageRequest } from './logFilters';
import { isLowerBound, records } from './logFormat';
import classes from './PagedLogs.module.css';
import { buttonOf, useRecordNavigation } from './useRecordNavigation';

interface PagedLogsProps {
  filters: LogFilters;
  setFilters: (change: Partial<LogFilters>) => void;
  /** Where ranges end, in Unix milliseconds. */
  now: number;
  stats: LogStats | undefined;
  keysOn: boolean;
}

/** The matching records, ten per page. */
export function PagedLogs({ filters, setFilters, now, stats, keysOn }: PagedLogsProps) {
  const asked = toPageRequest(filters, now);
  const { data, currentData, error, isFetching, refetch } = useLogsQuery(asked, { refetchOnMountOrArgChange: true });
  const logs = data?.logs ?? [];
  const open = (record: string) => setFilters({ record });
  useRecordNavigation({ records: logs, open: filters.record, onOpen: open, keysOn });

  const toPage = (page: number) => {
    // New records must not push the ones just read to the next page.
    const newest = filters.page === 1 && filters.order === 'desc' ? (logs[0]?.timestamp ?? '') : filters.at;
    setFilters({ page, at: page === 1 ? '' : newest });
  };
  const close = () => {
    const last = filters.record;
    setFilters({ record: '' });
    requestAnimationFrame(() => buttonOf(last)?.focus());
  };

  const detail = <LogDetail id={filters.record} records={logs} wanted={filters.text} onOpen={open} onClose={close} />;
  if (error !== undefined && (currentData === undefined || !isFetching)) {
    return (
      <>
        <LoadFailure text={errorText(error, 'Failed to load logs')} onRetry={() => void refetch()} />
        {detail}
      </>
    );
  }
  if (data === undefined) return <Loading />;
  const { pagination } = data;
  const stored = LEVELS.reduce((sum, level) => sum + (stats?.levelStats[level] ?? 0), 0);
  const isAtLeast = isLowerBound(asked.filter ?? {}, pagination.hasNextPage, stored);
  if (logs.length === 0 && filters.page > 1) {
    return (
      <>
        <EmptyList>
          <p role="status">There is no page {filters.page} of these logs.</p>
          <Button variant="default" onClick={() => toPage(1)}>
            To the first page
          </Button>
        </EmptyList>
        {detail}
      </>
    );
  }
  return (
    <>
      {logs.length === 0 ? (
        <EmptyList>
          <p role="status">No error logs found</p>
        </EmptyList>
      ) : (
        <>
          <p className={classes.count} role="status">
            {isAtLeast ? records(pagination.totalCount).replace(' ', '+ ') : records(pagination.totalCount)}
          </p>
          <ul className={classes.cards} aria-label="Logs" aria-busy={isFetching}>
            {logs.map((record) => (
              <LogCard key={record._id} record={record} wanted={filters.text} onOpen={open} />
            ))}
          </ul>
        </>
      )}
      <Pager label="logs" pagination={pagination} isAtLeast={isAtLeast} onPage={toPage} />
      {detail}
    </>
  );
}

function Loading() {
  return (
    <div className={classes.loading}>
      <p role="status" className={classes.count}>
        Loading logs...
      </p>
      {Array.from({ length: 4 }, (_, at) => (
        <div key={at} aria-hidden="true" />
      ))}
    </div>
  );
}
