import { useEffect, useRef } from 'react';
import { type NavigateOptions, useSearchParams } from 'react-router';

interface SearchFilters<Filters> {
  /** Those that are shown. */
  filters: Filters;
  /** What a change builds on: it may follow before the previous one is rendered. */
  latest: () => Filters;
  show: (next: Filters, options?: NavigateOptions) => void;
}

/** Filters that are kept in the URL, so that Back, reloading and a shared link preserve them. */
export function useSearchFilters<Filters>(
  read: (params: URLSearchParams) => Filters,
  write: (filters: Filters) => string | Record<string, string>,
): SearchFilters<Filters> {
  const [params, setParams] = useSearchParams();
  const filters = read(params);
  const latest = useRef(filters);
  const shown = params.toString();
  useEffect(() => {
    latest.current = read(new URLSearchParams(shown));
  }, [shown, read]);
  return {
    filters,
    latest: () => latest.current,
    show: (next, options) => {
      latest.current = next;
      setParams(write(next), options);
    },
  };
}
