import { useEffect } from 'react';
import { PAGE_LIMIT } from '@/api/base';
import { type Signup, useSignUpsInfiniteQuery } from '@/api/events';

/** More people than this are not loaded into one page; the screen says so. */
export const MAX_LOADED = 5_000;

export interface SignUps {
  signUps: Signup[];
  total: number;
  /** More are on their way. */
  isLoading: boolean;
  /** There are more than this page will load. */
  isCut: boolean;
  error: unknown;
  refetch: () => void;
}

/** Everybody who signed up for an event, page after page until all are here: search and statistics need them all. */
export function useSignUpsOf(eventId: string): SignUps {
  const { data, error, isFetching, hasNextPage, fetchNextPage, refetch } = useSignUpsInfiniteQuery(eventId);
  const pages = data?.pages ?? [];
  const isFull = pages.length * PAGE_LIMIT >= MAX_LOADED;
  const wantsMore = hasNextPage && !isFull && !isFetching && error === undefined;
  const loaded = pages.length;
  useEffect(() => {
    if (wantsMore) void fetchNextPage();
    // A page may come so fast that it was never seen to be on its way: then only the number of pages has changed.
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
