import { Button, NativeSelect, TextInput } from '@mantine/core';
import { type Ref, useState } from 'react';
import type { LogStats } from '@/api/logs';
import { CloseIcon, SearchIcon } from '@/shared/ui/icons';
import { useDebouncedText } from '@/shared/ui/useDebouncedText';
import classes from './FilterBar.module.css';
import { type LevelFilter, LEVEL_LABELS, LEVELS, PROBLEMS } from './levels';
import { hasActiveFilters, type LogFilters, NO_FILTERS, type Range, RANGES } from './logFilters';
import { fromLocalField, toLocalField } from './logFormat';
import { UserField } from './UserField';

/** The platforms of clients and of the server. */
const PLATFORMS = ['server', 'web', 'ios', 'android'];

/** A custom time range, beside those that end now. */
const CUSTOM = 'custom';

interface FilterBarProps {
  filters: LogFilters;
  setFilters: (change: Partial<LogFilters>) => void;
  stats: LogStats | undefined;
  searchBox: Ref<HTMLInputElement>;
  onSearch: (text: string) => void;
}

/** The filters of the log; all of them combine. */
export function FilterBar({ filters, setFilters, stats, searchBox, onSearch }: FilterBarProps) {
  const { level, service, platform, userId, sessionId, requestId, range, since, until } = filters;
  const [isUnfolded, setUnfolded] = useState(false);
  const set = [level, service, platform, userId, range, since || until].filter((each) => each !== '').length;
  return (
    <div role="search" aria-label="Logs" className={classes.bar}>
      <div className={classes.first}>
        {/* Remounted when a pasted id became a filter. */}
        <SearchBox
          key={[userId, sessionId, requestId].join(' ')}
          text={filters.text}
          box={searchBox}
          onSearch={onSearch}
        />
        <Button
          variant="default"
          className={classes.fold ?? ''}
          aria-expanded={isUnfolded}
          onClick={() => setUnfolded(!isUnfolded)}
        >
          {set === 0 ? 'Filters' : `Filters (${set})`}
        </Button>
      </div>
      <div className={classes.filters} data-unfolded={isUnfolded || undefined}>
        <Selects filters={filters} setFilters={setFilters} stats={stats} />
      </div>
      <Scopes filters={filters} setFilters={setFilters} />
    </div>
  );
}

/** The filters that are chosen from a list, and the custom time range. */
function Selects({ filters, setFilters, stats }: Pick<FilterBarProps, 'filters' | 'setFilters' | 'stats'>) {
  const { level, service, platform, userId, range, since, until, order, isLive } = filters;
  const [asksTimes, setAsksTimes] = useState(false);
  const hasTimes = since !== '' || until !== '' || asksTimes;
  const chooseTime = (chosen: string) => {
    setAsksTimes(chosen === CUSTOM);
    if (chosen !== CUSTOM) setFilters({ range: chosen as Range | '', since: '', until: '' });
    else if (range !== '') setFilters({ range: '', since: new Date(Date.now() - RANGES[range].ms).toISOString() });
  };
  return (
    <>
      <NativeSelect
        aria-label="Service"
        value={service}
        onChange={(event) => setFilters({ service: event.currentTarget.value })}
        data={[{ value: '', label: 'All services' }, ...withChosen(stats?.services ?? [], service)]}
      />
      <NativeSelect
        aria-label="Level"
        value={level}
        onChange={(event) => setFilters({ level: event.currentTarget.value as LevelFilter })}
        data={[
          { value: '', label: 'All levels' },
          { value: PROBLEMS, label: 'Warnings and errors' },
          ...LEVELS.map((each) => ({ value: each, label: LEVEL_LABELS[each].one })),
        ]}
      />
      <NativeSelect
        aria-label="Platform"
        value={platform}
        onChange={(event) => setFilters({ platform: event.currentTarget.value })}
        data={[{ value: '', label: 'All platforms' }, ...withChosen(PLATFORMS, platform)]}
      />
      <UserField userId={userId} onUser={(chosen) => setFilters({ userId: chosen })} />
      <NativeSelect
        aria-label="Time"
        value={hasTimes ? CUSTOM : range}
        onChange={(event) => chooseTime(event.currentTarget.value)}
        data={[
          { value: '', label: 'Any time' },
          ...Object.entries(RANGES).map(([value, { label }]) => ({ value, label })),
          { value: CUSTOM, label: 'From … to …' },
        ]}
      />
      <NativeSelect
        aria-label="Order"
        value={order}
        disabled={isLive}
        onChange={(event) => setFilters({ order: event.currentTarget.value as LogFilters['order'] })}
        data={[
          { value: 'desc', label: 'Newest first' },
          { value: 'asc', label: 'Oldest first' },
        ]}
      />
      {hasTimes && (
        <div className={classes.times}>
          <TimeField label="From" end="from" value={since} onTime={(time) => setFilters({ since: time })} />
          <TimeField
            label="To"
            end="to"
            value={until}
            onTime={(time) => setFilters({ until: time, isLive: isLive && time === '' })}
          />
        </div>
      )}
    </>
  );
}

interface SearchBoxProps {
  text: string;
  box: Ref<HTMLInputElement>;
  onSearch: (text: string) => void;
}

function SearchBox({ text, box, onSearch }: SearchBoxProps) {
  const search = useDebouncedText(text, onSearch);
  return (
    <TextInput
      ref={box}
      aria-label="Search logs"
      placeholder="Search, or paste a request id"
      type="search"
      leftSection={<SearchIcon />}
      leftSectionWidth={44}
      maxLength={200}
      value={search.text}
      onChange={(event) => search.type(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && search.text === '') event.currentTarget.blur();
      }}
    />
  );
}

/** The options, plus a value from a link that is not among them. */
function withChosen(options: string[], chosen: string): string[] {
  return chosen === '' || options.includes(chosen) ? options : [...options, chosen];
}

interface TimeFieldProps {
  label: string;
  /** Which end of a range it is. */
  end: 'from' | 'to';
  value: string;
  onTime: (time: string) => void;
}

function TimeField({ label, end, value, onTime }: TimeFieldProps) {
  return (
    <TextInput
      label={label}
      type="datetime-local"
      step={1}
      // Incomplete input stays in the field while typing.
      key={value}
      defaultValue={toLocalField(value)}
      onBlur={(event) => {
        const time = fromLocalField(event.currentTarget.value, end);
        if (toLocalField(time) !== toLocalField(value)) onTime(time);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur();
      }}
    />
  );
}

/** Filters set by a link from a record, each removable. */
function Scopes({ filters, setFilters }: Pick<FilterBarProps, 'filters' | 'setFilters'>) {
  const { requestId, sessionId } = filters;
  if (!hasActiveFilters(filters)) return null;
  return (
    <div className={classes.scopes}>
      {requestId !== '' && <Scope name="Request" id={requestId} onRemove={() => setFilters({ requestId: '' })} />}
      {sessionId !== '' && <Scope name="Session" id={sessionId} onRemove={() => setFilters({ sessionId: '' })} />}
      <button
        type="button"
        className={classes.widen}
        onClick={() => setFilters({ ...NO_FILTERS, order: filters.order, isLive: filters.isLive })}
      >
        Clear filters
      </button>
    </div>
  );
}

function Scope({ name, id, onRemove }: { name: string; id: string; onRemove: () => void }) {
  return (
    <span className={classes.scope}>
      {name} <code>{id}</code>
      <button type="button" aria-label={`Remove ${name.toLowerCase()} filter`} onClick={onRemove}>
        <CloseIcon />
      </button>
    </span>
  );
}
