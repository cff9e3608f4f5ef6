import { type EventState, useListEventsQuery } from '@/api/events';
import classes from './EventTotals.module.css';
import { STATUSES } from './useEventListFilters';
import { ifKnown } from '@/shared/ui/Loaded';

/** Totals of all events, regardless of the filters. */
export function EventTotals() {
  return (
    <dl className={classes.totals}>
      <Total label="Total" states={STATUSES.all.states} />
      <Total label="Published" states={STATUSES.published.states} />
      <Total label="Live" states={STATUSES.live.states} />
      <Total label="Ended" states={STATUSES.ended.states} />
    </dl>
  );
}

function Total({ label, states }: { label: string; states: EventState[] }) {
  // Only the count is needed; one row is the smallest page.
  const found = ifKnown(useListEventsQuery({ filter: { eventState: states }, limit: 1 }));
  return (
    <div className={classes.total}>
      <dt>{label}</dt>
      <dd>{found?.pagination.totalCount ?? '–'}</dd>
    </div>
  );
}
