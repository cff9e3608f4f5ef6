import { errorText, isApiError } from '@/api/base';

export const NETWORK_ERROR = 'Network error. Please check your connection.';

/** What to say when a call failed: the server's words, else ours: docs/behaviour/webapp.md#failures. */
export function failureText(error: unknown, otherwise: string): string {
  return isApiError(error) && error.status === 0 ? NETWORK_ERROR : errorText(error, otherwise);
}
