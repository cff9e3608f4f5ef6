import { isAppPath } from '../shared/alerts/openedPath';

/** What the server pushes (appliance/src/push/notice.rs). */
export interface PushMessage {
  title: string;
  body: string;
  /** A later one with the same tag replaces it. */
  tag: string;
  /** The path that a press opens. */
  to: string;
}

/** Characters that are shown; the server sends fewer. */
const MAX_TEXT = 300;

/** A push as it is shown; null for anything else, from whatever version of the server. */
export function pushMessage(text: string): PushMessage | null {
  const found = parsed(text);
  if (typeof found !== 'object' || found === null) return null;
  const { title, body, tag, to } = found as Record<string, unknown>;
  const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= MAX_TEXT;
  if (!isText(title) || title.trim() === '' || !isText(tag) || !isAppPath(to)) return null;
  return { title, body: isText(body) ? body : '', tag, to };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
