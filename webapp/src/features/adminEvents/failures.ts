import { isApiError } from '@/api/base';

/** Why sign-ups are not shown: what the server said, or that it was not to be had. */
export function signUpFailure(error: unknown): string {
  if (!isApiError(error) || error.status === 0) return 'An error occurred while fetching sign-ups';
  return error.message ?? 'Failed to fetch sign-ups';
}
