/** What the service worker sends to a page whose notification was pressed. */
export interface OpenedMessage {
  type: 'OPENED';
  to: string;
}

/** The path of such a message; null for any other. */
export function openedPath(data: unknown): string | null {
  if (typeof data !== 'object' || data === null) return null;
  const { type, to } = data as Record<string, unknown>;
  return type === 'OPENED' && isAppPath(to) ? to : null;
}

/** A path of the app itself, never another site. */
export function isAppPath(to: unknown): to is string {
  return typeof to === 'string' && /^\/app\/[\w/-]*$/.test(to);
}
