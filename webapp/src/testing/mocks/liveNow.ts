/** The games to watch: docs/behaviour/watching.md. */

import type { components } from '@/api/schema';
import { isPublic } from './games';
import type { MockGame } from './mockGame';
import type { MockServer } from './mockServer';
import type { Send } from './rooms';

type LiveGame = components['schemas']['LiveGame'];

const EVERY_MS = 1_000;
/** The lists that can be followed. */
const SIZES = [2, 12] as const;
/** Pages of the list reach so many games. */
const LISTED = 100;

export class LiveNow {
  readonly #mock: MockServer;
  /** Who follows how many games, and the frame they got last. */
  readonly #followers = new Map<Send, { size: number; last: string }>();
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(mock: MockServer) {
    this.#mock = mock;
  }

  /** Games that everybody may watch, the oldest first, as long as nobody has a rating. */
  get games(): MockGame[] {
    return this.#mock.liveGames().filter((game) => isPublic(this.#mock, game));
  }

  /** The list, as this user sees it. */
  list(viewer?: string): LiveGame[] {
    return this.games.slice(0, LISTED).map((game) => {
      const watchers = this.#mock.watchers(game);
      return { game: { ...game.summary(viewer ?? ''), watchers }, board: game.liveBoard(watchers) };
    });
  }

  follow(send: Send, limit: number = Infinity): void {
    this.#followers.set(send, { size: SIZES.find((size) => limit <= size) ?? SIZES[1], last: '' });
    this.#timer ??= setInterval(() => this.#tell(), EVERY_MS);
    this.#tell();
  }

  unfollow(send: Send): void {
    this.#followers.delete(send);
    if (this.#followers.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #tell(): void {
    const all = this.list();
    for (const [send, follower] of this.#followers) {
      const games = all.slice(0, follower.size);
      const frame = { total: all.length, order: games.map(({ game }) => game.gameId), games, boards: [] };
      const text = JSON.stringify(frame);
      if (text === follower.last) continue;
      follower.last = text;
      send('liveNow', frame);
    }
  }
}
