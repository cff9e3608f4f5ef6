import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { AuditEntry } from '@/api/admin';
import { errorText } from '@/api/base';
import { dateTime, timeZone } from '@/shared/events/times';
import { SearchIcon } from '@/shared/ui/icons';
import { LoadFailure } from '@/shared/ui/LoadFailure';
import { PageHeading } from '@/shared/ui/PageHeading';
import { Pager } from '@/shared/ui/Pager';
import { useDebouncedText } from '@/shared/ui/useDebouncedText';
import classes from './AuditPage.module.css';
import { actionText, detailsOf } from './auditFormat';
import { type AuditFilters, SEARCH_DEPTH, useAudit } from './useAudit';

/** Who of those in charge did what, on what, and from where. */
export default function AuditPage() {
  const [params, setParams] = useSearchParams();
  const filters: AuditFilters = {
    text: params.get('q') ?? '',
    action: params.get('action') ?? '',
    page: Math.max(1, Math.trunc(Number(params.get('page'))) || 1),
  };
  const setFilters = (change: Partial<AuditFilters>) => {
    const { text, action, page } = { ...filters, page: 1, ...change };
    setParams(
      {
        ...(text === '' ? {} : { q: text }),
        ...(action === '' ? {} : { action }),
        ...(page === 1 ? {} : { page: String(page) }),
      },
      { replace: change.page === undefined },
    );
  };
  const search = useDebouncedText(filters.text, (text) => setFilters({ text }));
  const [depth, setDepth] = useState(SEARCH_DEPTH);
  const { entries, pagination, error, refetch, searched, actions } = useAudit(filters, depth);
  const offered = [...new Set([...actions, ...(filters.action === '' ? [] : [filters.action])])].sort();

  return (
    <>
      <PageHeading title="Audit Trail">What admins and operators did, the newest first.</PageHeading>
      <div role="search" className={classes.search}>
        <TextInput
          aria-label="Search the audit trail"
          placeholder="Who, what, on what, from where"
          type="search"
          leftSection={<SearchIcon />}
          leftSectionWidth={44}
          value={search.text}
          onChange={(event) => search.type(event.currentTarget.value)}
        />
        <NativeSelect
          aria-label="Action"
          value={filters.action}
          onChange={(event) => setFilters({ action: event.currentTarget.value })}
          data={[
            { value: '', label: 'All actions' },
            ...offered.map((action) => ({ value: action, label: actionText(action) })),
          ]}
        />
      </div>
      {searched !== undefined && (
        <div className={classes.searched}>
          <p role="status">
            {searched.isLooking
              ? 'Searching…'
              : `${pagination?.totalCount ?? 0} found in the newest ${searched.entries} of ${searched.total} entries.`}
          </p>
          {searched.canGoOn && (
            <Button variant="default" onClick={() => setDepth(depth + SEARCH_DEPTH)}>
              Search older entries
            </Button>
          )}
        </div>
      )}
      {error !== undefined ? (
        <LoadFailure text={errorText(error, 'Failed to load the audit trail')} onRetry={refetch} />
      ) : entries === undefined ? (
        <p role="status">Loading the audit trail...</p>
      ) : entries.length === 0 ? (
        <p>{searched === undefined ? 'Nothing has been done yet.' : 'No entry fits this search.'}</p>
      ) : (
        <Entries entries={entries} />
      )}
      {error === undefined && pagination !== undefined && (
        <Pager label="the audit trail" pagination={pagination} onPage={(page) => setFilters({ page })} />
      )}
    </>
  );
}

function Entries({ entries }: { entries: AuditEntry[] }) {
  return (
    <>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">Who</th>
            <th scope="col">What</th>
            <th scope="col">On what</th>
            <th scope="col">From where</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.auditId}>
              <td>
                <time dateTime={entry.at}>{dateTime(entry.at)}</time>
              </td>
              <th scope="row">{entry.actor}</th>
              <td className={classes.what}>{actionText(entry.action)}</td>
              <td className={classes.subject}>
                <Subject entry={entry} />
                {detailsOf(entry).map(({ name, value }) => (
                  <span key={name}>
                    {name}: {value}
                  </span>
                ))}
              </td>
              <td>{entry.address}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className={classes.zone}>Times are in {timeZone()}.</p>
    </>
  );
}

/** What it was done to, by its name where it has one, and with the way to it. */
function Subject({ entry: { subject, subjectKind, subjectName } }: { entry: AuditEntry }) {
  const name = subjectName ?? subject;
  const to = subjectKind === undefined ? undefined : SUBJECTS[subjectKind](subject, name);
  if (to !== undefined) return <Link to={to}>{name}</Link>;
  return subjectName === undefined ? <code>{subject}</code> : <b>{subjectName}</b>;
}

const SUBJECTS: Record<NonNullable<AuditEntry['subjectKind']>, (subject: string, name: string) => string> = {
  user: (_userId, username) => `/app/admin/users?q=${encodeURIComponent(username)}`,
  event: (eventId) => `/app/admin/events/${eventId}`,
  game: (gameId) => `/app/game/${gameId}/replay`,
};
