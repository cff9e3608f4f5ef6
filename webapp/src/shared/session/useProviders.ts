import { type Provider, type Providers, useGetProvidersQuery } from '@/api/account';
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

/** The providers in the order of their buttons. */
export function providersOf(answer: Providers | undefined): Provider[] {
  const { provider, otherProviders = [] } = answer ?? {};
  return provider === undefined ? otherProviders : [provider, ...otherProviders];
}

/** Where a sign-in with a provider begins. */
export function startOf(provider?: Provider): string {
  return provider?.id === undefined ? '/api/auth/oidc/start' : `/api/auth/oidc/${provider.id}/start`;
}
