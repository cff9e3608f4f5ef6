import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { errorText } from '@/api/base';
import { SearchIcon } from '@/shared/ui/icons';
import { LoadFailure } from '@/shared/ui/LoadFailure';
import { PageHeading } from '@/shared/ui/PageHeading';
import { Pager } from '@/shared/ui/Pager';
import { useDebouncedText } from '@/shared/ui/useDebouncedText';
import classes from './AuditPage.module.css';
import { AuditEntries } from './AuditEntries';
import { AuditTools } from './AuditTools';
import { actionText } from './auditFormat';
import { SEARCH_DEPTH, useAudit } from './useAudit';
import { useAuditFilters } from './useAuditFilters';

/** What admins and operators did. */
export default function AuditPage() {
  const { filters, setFilters } = useAuditFilters();
  const search = useDebouncedText(filters.text, (text) => setFilters({ text }));
  const [depth, setDepth] = useState(SEARCH_DEPTH);
  const { entries, pagination, error, refetch, searched, actions } = useAudit(filters, depth);
  const offered = [...new Set([...actions, ...(filters.action === '' ? [] : [filters.action])])].sort();

  return (
    <>
      <PageHeading title="Audit Trail">What admins and operators did, newest first.</PageHeading>
      <AuditTools />
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
        <AuditEntries entries={entries} />
      )}
      {error === undefined && pagination !== undefined && (
        <Pager label="the audit trail" pagination={pagination} onPage={(page) => setFilters({ page })} />
      )}
    </>
  );
}
