import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import { api } from '@/api/base';
import { useLogStatsQuery } from '@/api/logs';
import { AgainIcon } from '@/shared/ui/icons';
import { PageHeading } from '@/shared/ui/PageHeading';
import { ClearLogs } from './ClearLogs';
import { ExportLogs } from './ExportLogs';
import { FilterBar } from './FilterBar';
import { FollowIcon } from './icons';
import { KeysDialog } from './KeysDialog';
import { LiveLogs } from './LiveLogs';
import classes from './LogsPage.module.css';
import { toLogFilter, useLogFilters } from './logFilters';
import { count } from './logFormat';
import { PagedLogs } from './PagedLogs';
import { StatCards } from './StatCards';
import { useLogKeys } from './useLogKeys';
import { useSearch } from './useSearch';
import { useAppDispatch } from '@/shared/storeHooks';
import { ifKnown } from '@/shared/ui/Loaded';

/** Interval for reloading the statistics in live mode, in milliseconds; each request is logged as well. */
const COUNT_ANEW = 30_000;

/** The log of the server and its clients: docs/behaviour/logs.md. */
export default function LogsPage() {
  const { filters, setFilters, now, refresh } = useLogFilters();
  const { isLive } = filters;
  const dispatch = useAppDispatch();
  const stats = ifKnown(
    useLogStatsQuery(undefined, {
      refetchOnMountOrArgChange: true,
      ...(isLive ? { pollingInterval: COUNT_ANEW, skipPollingIfUnfocused: true } : {}),
    }),
  );
  const search = useSearch(filters, setFilters);
  const searchBox = useRef<HTMLInputElement>(null);
  /** Counts clearings, so that the live log restarts after one. */
  const [clearings, setClearings] = useState(0);
  const [keysOn, setKeysOn] = useState(true);
  const [asksKeys, setAsksKeys] = useState(false);

  const toggleLive = () => setFilters({ isLive: !isLive, until: '', order: 'desc' });
  const readAnew = () => {
    refresh();
    dispatch(api.util.invalidateTags(['Logs']));
  };
  useLogKeys(
    {
      '/': () => searchBox.current?.focus(),
      l: toggleLive,
      r: readAnew,
      '?': () => setAsksKeys(true),
    },
    keysOn,
  );

  const filter = toLogFilter(filters, now);
  return (
    <>
      <div className={classes.top}>
        <PageHeading title="Error Logs">Records from the server and its web apps.</PageHeading>
        <div className={classes.acts}>
          <Button
            variant={isLive ? 'filled' : 'default'}
            aria-pressed={isLive}
            leftSection={<FollowIcon />}
            onClick={toggleLive}
          >
            Live
          </Button>
          <Button variant="default" leftSection={<AgainIcon />} onClick={readAnew}>
            Refresh
          </Button>
          <ExportLogs filter={() => toLogFilter(filters, Date.now())} />
          <ClearLogs
            onCleared={() => {
              setClearings(clearings + 1);
              setFilters({ page: 1, at: '', record: '' });
            }}
          />
        </div>
      </div>
      <StatCards stats={stats} level={filters.level} onLevel={(level) => setFilters({ level })} />
      <Dropped records={stats?.dropped ?? 0} />
      <FilterBar filters={filters} setFilters={setFilters} stats={stats} searchBox={searchBox} onSearch={search} />
      {isLive ? (
        <LiveLogs
          key={`${clearings} ${JSON.stringify(filter)}`}
          filters={filters}
          setFilters={setFilters}
          now={now}
          keysOn={keysOn}
        />
      ) : (
        <PagedLogs filters={filters} setFilters={setFilters} now={now} stats={stats} keysOn={keysOn} />
      )}
      <KeysHint keysOn={keysOn} onAsk={() => setAsksKeys(true)} />
      <KeysDialog opened={asksKeys} onClose={() => setAsksKeys(false)} isOn={keysOn} onSwitch={setKeysOn} />
    </>
  );
}

/** How many records the server could not keep. */
function Dropped({ records }: { records: number }) {
  if (records === 0) return null;
  return (
    <p className={classes.dropped} role="status">
      {records === 1 ? '1 record was' : `${count(records)} records were`} discarded since the server started, because
      they arrived too fast to be stored.
    </p>
  );
}

function KeysHint({ keysOn, onAsk }: { keysOn: boolean; onAsk: () => void }) {
  return (
    <p className={classes.hint}>
      {keysOn && (
        <>
          <kbd>/</kbd> search · <kbd>j</kbd> <kbd>k</kbd> move · <kbd>Enter</kbd> open · <kbd>l</kbd> live ·{' '}
        </>
      )}
      <button type="button" onClick={onAsk}>
        All keys
      </button>
    </p>
  );
}
