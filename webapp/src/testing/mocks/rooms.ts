import type { ServerEvents } from '@/realtime/protocol';
import type { MockGame } from './mockGame';

export type Send = <E extends keyof ServerEvents>(event: E, data: ServerEvents[E]) => void;

/** The open websockets and the rooms of games: docs/behaviour/play.md. */
export class Rooms {
  /** The open websockets, with the ids of their users. */
  readonly #listeners = new Map<Send, string>();
  /** Ids of games that somebody watches. */
  readonly #watched = new Set<string>();

  get isEmpty(): boolean {
    return this.#listeners.size === 0;
  }

  connect(send: Send, userId: string): void {
    this.#listeners.set(send, userId);
  }

  disconnect(send: Send): void {
    this.#listeners.delete(send);
  }

  isConnected(user: string): boolean {
    return [...this.#listeners.values()].includes(user);
  }

  watch(game: MockGame): void {
    this.#watched.add(game.gameId);
  }

  isWatched({ gameId }: MockGame): boolean {
    return this.#watched.has(gameId);
  }

  unwatch(gameId: string): void {
    this.#watched.delete(gameId);
  }

  readonly send: Send = (event, data) => {
    for (const send of this.#listeners.keys()) send(event, data);
  };

  /** Sends a frame to all players and watchers of the game. */
  sendTo<E extends keyof ServerEvents>(game: MockGame, event: E, data: ServerEvents[E]): void {
    for (const [send] of this.#roomOf(game)) send(event, data);
  }

  /** Sends a frame to the players of the game, whether they have it open or not. */
  sendToPlayers<E extends keyof ServerEvents>(game: MockGame, event: E, data: ServerEvents[E]): void {
    this.sendToPeople((user) => game.seats.some(({ userId }) => userId === user), event, data);
  }

  /** Sends a frame to the connections of those whose id is taken by `isReader`. */
  sendToPeople<E extends keyof ServerEvents>(
    isReader: (userId: string) => boolean,
    event: E,
    data: ServerEvents[E],
  ): void {
    for (const [send, userId] of this.#listeners) {
      if (isReader(userId)) send(event, data);
    }
  }

  /** Sends the result to all of them, each with their own text. */
  sendEnd(game: MockGame): void {
    for (const [send, userId] of this.#roomOf(game)) {
      const end = game.end(userId);
      if (end !== undefined) send('gameEnd', end);
    }
  }

  #roomOf(game: MockGame): [Send, string][] {
    const isWatched = this.#watched.has(game.gameId);
    return [...this.#listeners].filter(([, user]) => isWatched || game.seats.some(({ userId }) => userId === user));
  }
}
