import { useSearchParams } from 'react-router';
import type { AuditFilters } from './useAudit';

/** The filters are kept in the URL, so that Back, reloading and a shared link preserve them. */
export function useAuditFilters() {
  const [params, setParams] = useSearchParams();
  const filters: AuditFilters = {
    text: params.get('q') ?? '',
    action: params.get('action') ?? '',
    page: Math.max(1, Math.trunc(Number(params.get('page'))) || 1),
  };
  const setFilters = (change: Partial<AuditFilters>) => {
    const { text, action, page } = { ...filters, page: 1, ...change };
    setParams(
      {
        ...(text === '' ? {} : { q: text }),
        ...(action === '' ? {} : { action }),
        ...(page === 1 ? {} : { page: String(page) }),
      },
      { replace: change.page === undefined },
    );
  };
  return { filters, setFilters };
}
