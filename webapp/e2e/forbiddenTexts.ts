import type { ForbiddenText } from './pageMonitor';

/** What no page shows during an evening. A lost connection shows for a while, and "Try again" has to work when it is pressed. */
export const FORBIDDEN_TEXTS: readonly ForbiddenText[] = [
  ['Unexpected Application Error', 0],
  ['Something went wrong', 0],
  ['Failed to join event room', 0],
  ['Failed to initialize game room', 0],
  ['Failed to join game room', 0],
  ['Event not found\\.', 0],
  ['User not authenticated or event ID missing', 0],
  // There are winners; until they are final the page must not say otherwise.
  ['Nobody won it\\.', 0],
  ["^'s turn", 0],
  ['\\b(undefined|NaN|Invalid Date)\\b', 0],
  ['Failed to load event', 15_000],
  ['^Try again$', 15_000],
  ['Connecting to Game Server\\.\\.\\.', 30_000],
];
