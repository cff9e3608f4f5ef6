/** The games to watch, best rated first, as the server tells of them: docs/behaviour/watching.md#live-now. */

import type { components } from '@/api/schema';
import type { ServerEvents } from '@/realtime/protocol';

export type LiveGame = components['schemas']['LiveGame'];

export interface LiveList {
  games: readonly LiveGame[];
  /** How many games may be watched in all. */
  total: number;
}

/** The list after a frame, which has new games, and what changed of those that are known. */
export function afterFrame(list: LiveList | null, frame: ServerEvents['liveNow']): LiveList {
  const known = new Map([...(list?.games ?? []), ...frame.games].map((live) => [live.game.gameId, live]));
  for (const board of frame.boards) {
    const live = known.get(board.gameId);
    // A late frame is older than what a new list had.
    if (live !== undefined && board.version >= live.board.version) known.set(board.gameId, { ...live, board });
  }
  return { total: frame.total, games: frame.order.flatMap((gameId) => known.get(gameId) ?? []) };
}

/** The path of the page from which a game is watched; players play their own. */
export function watchPath({ gameId, players }: LiveGame['game'], userId: string | undefined): string {
  const isOwn = players.some((player) => player.userId === userId);
  return isOwn ? `/app/game/${gameId}` : `/app/game/${gameId}?watch=true`;
}

/** Whether the same two play both games. */
export function isSamePair(players: readonly { userId: string }[], others: readonly { userId: string }[]): boolean {
  return players.length === 2 && players.every(({ userId }) => others.some((other) => other.userId === userId));
}
