import { useEffect } from 'react';
import { PAGE_LIMIT } from '@/api/base';
import { type AuditEntry, useAuditTrailInfiniteQuery, useListAuditQuery } from '@/api/admin';
import type { components } from '@/api/schema';
import { matches } from './auditFormat';

/** Entries per page. */
export const PAGE = 25;
/** A search reads this many of the newest entries, and as many older ones each time it is continued. */
export const SEARCH_DEPTH = 1_000;

export interface AuditFilters {
  text: string;
  /** Empty for all actions. */
  action: string;
  /** Counted from 1. */
  page: number;
}

interface Audit {
  entries: AuditEntry[] | undefined;
  pagination: components['schemas']['Pagination'] | undefined;
  error: unknown;
  refetch: () => void;
  /** The progress of a search; absent without one. */
  searched?: { entries: number; total: number; isLooking: boolean; canGoOn: boolean };
  /** The actions found so far, for the filter. */
  actions: string[];
}

/**
 * A page of the audit trail. The server has no search, so a search reads up to `depth` entries, newest first, and
 * pages the matches itself.
 */
export function useAudit({ text, action, page }: AuditFilters, depth: number): Audit {
  const isSearch = text !== '' || action !== '';
  const plain = useListAuditQuery({ page, limit: PAGE }, { skip: isSearch, refetchOnMountOrArgChange: true });
  const trail = useAuditTrailInfiniteQuery(undefined, { skip: !isSearch, refetchOnMountOrArgChange: true });

  const pages = trail.data?.pages ?? [];
  const { hasNextPage, fetchNextPage, isFetching } = trail;
  const isDeepEnough = pages.length * PAGE_LIMIT >= depth;
  const wantsMore = isSearch && hasNextPage && !isDeepEnough && !isFetching && trail.error === undefined;
  const loaded = pages.length;
  useEffect(() => {
    if (wantsMore) void fetchNextPage();
    // A page may load between two renders: then only the number of pages has changed.
  }, [wantsMore, loaded, fetchNextPage]);

  const seen = [...pages.flatMap(({ entries }) => entries), ...(plain.data?.entries ?? [])];
  const actions = [...new Set(seen.map((entry) => entry.action))].sort();
  if (!isSearch) {
    const { data, error, refetch } = plain;
    return { entries: data?.entries, pagination: data?.pagination, error, refetch: () => void refetch(), actions };
  }
  const all = pages.flatMap(({ entries }) => entries);
  const found = all.filter((entry) => matches(entry, text, action));
  return {
    entries: pages.length === 0 ? undefined : found.slice((page - 1) * PAGE, page * PAGE),
    pagination: {
      currentPage: page,
      limit: PAGE,
      totalCount: found.length,
      hasPrevPage: page > 1,
      hasNextPage: page * PAGE < found.length,
    },
    error: trail.error,
    refetch: () => void trail.refetch(),
    searched: {
      entries: all.length,
      total: pages.at(-1)?.pagination.totalCount ?? 0,
      isLooking: isFetching || wantsMore,
      canGoOn: hasNextPage && isDeepEnough && !isFetching,
    },
    actions,
  };
}
