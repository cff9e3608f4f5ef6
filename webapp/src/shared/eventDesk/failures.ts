import { isApiError } from '@/api/base';

/** Why sign-ups cannot be shown: the server's message, or that it was not reachable. */
export function signUpFailure(error: unknown): string {
  if (!isApiError(error) || error.status === 0) return 'An error occurred while fetching sign-ups';
  return error.message ?? 'Failed to fetch sign-ups';
}
