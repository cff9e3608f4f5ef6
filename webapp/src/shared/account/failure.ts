import { isApiError } from '@/api/base';

export const NETWORK_ERROR = 'Network error. Please check your connection.';

/** What to say when a call failed: the server's words, else ours (account and platform, section 8). */
export function failureText(error: unknown, otherwise: string): string {
  if (isApiError(error)) {
    if (error.status === 0) return NETWORK_ERROR;
    if (error.message) return error.message;
  }
  return otherwise;
}
