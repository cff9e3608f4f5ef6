import type { EventState } from '@/api/events';
import { useSearchFilters } from '@/shared/useSearchFilters';

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

function readFilters(params: URLSearchParams): EventListFilters {
  const status = params.get('status') ?? 'all';
  return {
    text: params.get('q') ?? '',
    status: Object.hasOwn(STATUSES, status) ? (status as Status) : 'all',
    page: Math.max(1, Math.trunc(Number(params.get('page'))) || 1),
  };
}

function writeFilters({ text, status, page }: EventListFilters): Record<string, string> {
  return {
    ...(text === '' ? {} : { q: text }),
    ...(status === 'all' ? {} : { status }),
    ...(page === 1 ? {} : { page: String(page) }),
  };
}

/** The filters are kept in the URL, so that Back, reloading and a shared link preserve them. */
export function useEventListFilters() {
  const { filters, latest, show } = useSearchFilters(readFilters, writeFilters);
  /** A changed search or filter starts on the first page. */
  const setFilters = (change: Partial<EventListFilters>) =>
    show(
      { ...latest(), page: 1, ...change },
      { replace: change.page === undefined, preventScrollReset: change.page === undefined },
    );
  return { filters, setFilters };
}
