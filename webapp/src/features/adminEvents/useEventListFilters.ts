import { useSearchParams } from 'react-router';
import type { EventState } from '@/api/events';

/** The values of the status filter in the URL. */
export const STATUSES = {
  all: { label: 'All', states: ['drafted', 'published', 'started', 'ended'] },
  draft: { label: 'Draft', states: ['drafted'] },
  published: { label: 'Published', states: ['published'] },
  live: { label: 'Live', states: ['started'] },
  ended: { label: 'Ended', states: ['ended'] },
  // Cancelled events are archived: they are not part of 'All'.
  cancelled: { label: 'Cancelled', states: ['cancelled'] },
} satisfies Record<string, { label: string; states: EventState[] }>;

export type Status = keyof typeof STATUSES;

export interface EventListFilters {
  text: string;
  status: Status;
  /** Counted from 1. */
  page: number;
}

/** The filters are kept in the URL, so that Back, reloading and a shared link preserve them. */
export function useEventListFilters() {
  const [params, setParams] = useSearchParams();
  const status = params.get('status') ?? 'all';
  const filters: EventListFilters = {
    text: params.get('q') ?? '',
    status: Object.hasOwn(STATUSES, status) ? (status as Status) : 'all',
    page: Math.max(1, Math.trunc(Number(params.get('page'))) || 1),
  };
  /** A changed search or filter starts on the first page. */
  const setFilters = (change: Partial<EventListFilters>) => {
    const { text, status, page } = { ...filters, page: 1, ...change };
    setParams(
      {
        ...(text === '' ? {} : { q: text }),
        ...(status === 'all' ? {} : { status }),
        ...(page === 1 ? {} : { page: String(page) }),
      },
      { replace: change.page === undefined, preventScrollReset: change.page === undefined },
    );
  };
  return { filters, setFilters };
}
