/** What pages and the service worker tell each other about pushes. */

/** A page asks over a port whether the worker shows pushes; one of an earlier version does not answer. */
export const ASKS_FOR_PUSH = 'SHOWS_PUSH';

/** The worker tells a page that the browser's subscription changed. */
export const SUBSCRIPTION_CHANGED = 'PUSH_SUBSCRIPTION_CHANGED';

/** The type of such a message; undefined for any other. */
export function messageType(data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null || !('type' in data)) return undefined;
  return typeof data.type === 'string' ? data.type : undefined;
}
