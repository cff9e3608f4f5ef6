import { Button, SegmentedControl, TextInput } from '@mantine/core';
import { useState } from 'react';
import { errorText } from '@/api/base';
import { useListEventsQuery } from '@/api/events';
import { EventCards } from '@/shared/eventDesk/EventCards';
import { useEventListUpdates } from '@/shared/events/useEventUpdates';
import { EmptyList } from '@/shared/ui/EmptyList';
import { SearchIcon } from '@/shared/ui/icons';
import { LoadFailure } from '@/shared/ui/LoadFailure';
import { PageHeading } from '@/shared/ui/PageHeading';
import { Pager } from '@/shared/ui/Pager';
import { useDebouncedText } from '@/shared/ui/useDebouncedText';
import classes from './AdminEventsPage.module.css';
import { CreateEventDialog } from './CreateEventDialog';
import { EventTotals } from './EventTotals';
import { type Status, STATUSES, useEventListFilters } from './useEventListFilters';

/** Cards per page: whole rows of two and three columns. */
const PAGE = 24;

/** All events, for admins. */
export default function AdminEventsPage() {
  const { filters, setFilters } = useEventListFilters();
  const search = useDebouncedText(filters.text, (text) => setFilters({ text }));
  const [isCreating, setCreating] = useState(false);
  useEventListUpdates();

  const { data, error, refetch } = useListEventsQuery({
    filter: { eventState: STATUSES[filters.status].states, ...(filters.text === '' ? {} : { text: filters.text }) },
    page: filters.page,
    limit: PAGE,
  });
  const hasActiveFilters = filters.text !== '' || filters.status !== 'all';

  return (
    <>
      <div className={classes.top}>
        <PageHeading title="Manage Events">Create and run events.</PageHeading>
        <Button onClick={() => setCreating(true)}>Create Event</Button>
      </div>
      <EventTotals />
      <div role="search" className={classes.search}>
        <TextInput
          aria-label="Search events"
          placeholder="Search title and description"
          type="search"
          leftSection={<SearchIcon />}
          leftSectionWidth={44}
          value={search.text}
          onChange={(event) => search.type(event.currentTarget.value)}
        />
        <SegmentedControl
          aria-label="Status"
          value={filters.status}
          onChange={(status) => setFilters({ status: status as Status })}
          data={Object.entries(STATUSES).map(([value, { label }]) => ({ value, label }))}
          classNames={{ label: classes.status ?? '' }}
        />
      </div>
      {data !== undefined ? (
        data.events.length > 0 ? (
          <EventCards events={data.events} />
        ) : (
          <EmptyList>
            <p role="status">
              {hasActiveFilters ? 'No event fits this search.' : 'No events yet. Create the first one.'}
            </p>
          </EmptyList>
        )
      ) : error !== undefined ? (
        <LoadFailure text={errorText(error, 'Failed to load events')} onRetry={() => void refetch()} />
      ) : (
        <p role="status">Loading events...</p>
      )}
      {data !== undefined && (
        <Pager label="events" pagination={data.pagination} onPage={(page) => setFilters({ page })} />
      )}
      <CreateEventDialog opened={isCreating} onClose={() => setCreating(false)} />
    </>
  );
}
