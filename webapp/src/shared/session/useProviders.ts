import { useGetProvidersQuery } from '@/api/account';
import { selectLoginStatus } from './sessionSlice';
import { useAppSelector } from '@/shared/storeHooks';

/**
 * The configured ways to sign in. Loaded after the login check, never in parallel: both assign a new browser the id
 * that its CSRF token is bound to, and there can be only one.
 */
export function useProviders() {
  const isChecking = useAppSelector(selectLoginStatus) === 'checking';
  const { data: providers, isLoading, isError } = useGetProvidersQuery(undefined, { skip: isChecking });
  return { providers, isWaiting: isChecking || isLoading, isError };
}
