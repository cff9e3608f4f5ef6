import { type EventState, useListEventsQuery } from '@/api/events';
import classes from './EventTotals.module.css';
import { STATUSES } from './useEventListFilters';

/** Of all events, whatever is searched for below. */
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
  // The server counts; one row is the least a page can have.
  const { data } = useListEventsQuery({ filter: { eventState: states }, limit: 1 });
  return (
    <div className={classes.total}>
      <dt>{label}</dt>
      <dd>{data?.pagination.totalCount ?? '–'}</dd>
    </div>
  );
}
