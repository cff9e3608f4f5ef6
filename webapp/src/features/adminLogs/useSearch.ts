import { useRef } from 'react';
import { useLazyLogsQuery } from '@/api/logs';
import { type LogFilters, NO_FILTERS } from './logFilters';
import { pastedId } from './logFormat';

/** The kinds of ids, most likely first. */
const KINDS = ['requestId', 'sessionId', 'userId'] as const;

/**
 * Searches the text of records. A pasted id filters by that request, session or user instead, and clears the other
 * filters.
 */
export function useSearch(
  filters: LogFilters,
  setFilters: (change: Partial<LogFilters>, how?: { replaces?: boolean }) => void,
): (text: string) => void {
  const [ask] = useLazyLogsQuery();
  const searches = useRef(0);
  return (text) => {
    const search = (searches.current += 1);
    const id = pastedId(text);
    setFilters({ text: id ?? text });
    if (id === undefined) return;
    const asked = KINDS.map((kind) => ask({ filter: { [kind]: id }, limit: 1 }).unwrap());
    void Promise.allSettled(asked).then((answers) => {
      const kind = KINDS.find((_, at) => {
        const answer = answers[at];
        return answer?.status === 'fulfilled' && answer.value.logs.length > 0;
      });
      // The text may have changed meanwhile.
      if (kind === undefined || search !== searches.current) return;
      const { isLive } = filters;
      setFilters({ ...NO_FILTERS, [kind]: id, order: isLive ? 'desc' : 'asc', isLive }, { replaces: true });
    });
  };
}
