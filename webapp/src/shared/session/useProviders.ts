import { useGetProvidersQuery } from '@/api/account';
import { selectLoginStatus } from './sessionSlice';
import { useAppSelector } from '@/shared/storeHooks';

/**
 * What one can sign in with. It is asked for after the login check, never beside it: both give a new browser the name
 * that its anti-forgery token is bound to, and there can be only one.
 */
export function useProviders() {
  const isChecking = useAppSelector(selectLoginStatus) === 'checking';
  const { data: providers, isLoading, isError } = useGetProvidersQuery(undefined, { skip: isChecking });
  return { providers, isWaiting: isChecking || isLoading, isError };
}
