import { useEffect } from 'react';
import { PAGE_LIMIT } from '@/api/base';
import { type Signup, useSignUpsInfiniteQuery } from '@/api/events';

/** The most sign-ups loaded; the screen says when there are more. */
export const MAX_LOADED = 5_000;

export interface SignUps {
  signUps: Signup[];
  total: number;
  /** More are being loaded. */
  isLoading: boolean;
  /** There are more than are loaded. */
  isCut: boolean;
  error: unknown;
  refetch: () => void;
}

/** Loads all sign-ups of an event, page by page: search and statistics need them all. */
export function useSignUpsOf(eventId: string): SignUps {
  const { data, error, isFetching, hasNextPage, fetchNextPage, refetch } = useSignUpsInfiniteQuery(eventId);
  const pages = data?.pages ?? [];
  const isFull = pages.length * PAGE_LIMIT >= MAX_LOADED;
  const wantsMore = hasNextPage && !isFull && !isFetching && error === undefined;
  const loaded = pages.length;
  useEffect(() => {
    if (wantsMore) void fetchNextPage();
    // A page may load between two renders: then only the number of pages has changed.
  }, [wantsMore, loaded, fetchNextPage]);
  return {
    signUps: pages.flatMap(({ signups }) => signups),
    total: pages.at(-1)?.pagination.totalCount ?? 0,
    isLoading: isFetching || wantsMore,
    isCut: hasNextPage && isFull,
    error,
    refetch: () => void refetch(),
  };
}
