import { errorText, isApiError } from '@/api/base';

export const NETWORK_ERROR = 'Network error. Please check your connection.';

/** The message of a failed call: the server's, else a default: docs/behaviour/webapp.md#failures. */
export function failureText(error: unknown, otherwise: string): string {
  return errorText(error, isApiError(error) && error.status === 0 ? NETWORK_ERROR : otherwise);
}
