/** Quick match: a mock user is found after a moment. */

import type { components } from '@/api/schema';
import type { ClientEvents } from '@/realtime/protocol';
import { BOARD_SIZES } from '@/shared/rules';
import { seat } from './mockGame';
import type { MockServer } from './mockServer';
import { Refusal } from './refusal';
import type { Send } from './rooms';

type User = MockServer['user'];
type Wish = ClientEvents['quickMatchJoin'];

const STATUS_MS = 1_000;
const OPENS_IN_MS = 500;
/** By this much the accepted difference of ratings grows, and how often. */
const WINDOW = 50;
const WIDENS_EVERY_MS = 3_000;

export class QuickMatches {
  readonly #mock: MockServer;
  #since: number | undefined;
  #wish: Wish | undefined;
  /** Who looks; an admin may look on as somebody else. */
  #user: User | undefined;
  #timers: ReturnType<typeof setTimeout>[] = [];

  constructor(mock: MockServer) {
    this.#mock = mock;
  }

  join(wish: Wish, send: Send): void {
    const { isTempUser, userId } = this.#mock.user;
    if (isTempUser && wish.rated) {
      const text = 'Rated games need an account. Play a casual game, or register first; your games come with you.';
      throw new Refusal(403, 'account-needed', text);
    }
    const current = this.#mock.games(userId).find(({ isOver, terms }) => !isOver && terms.rated !== undefined);
    if (current !== undefined) return send('redirectToGame', { gameId: current.gameId, redirectInMs: 1_500 });
    const since = this.#since ?? Date.now();
    this.leave();
    this.#since = since;
    this.#wish = wish;
    this.#user = this.#mock.user;
    const tell = () => {
      const waitedMs = Date.now() - since;
      send('quickMatchStatus', { waiting: 1, playing: 2, waitedMs, window: windowAfter(waitedMs) });
    };
    tell();
    this.#timers = [setInterval(tell, STATUS_MS), setTimeout(() => this.#find(wish, send), this.#mock.searchMs)];
  }

  leave(): void {
    this.#timers.forEach(clearTimeout);
    this.#timers = [];
    this.#since = undefined;
    this.#wish = undefined;
    this.#user = undefined;
  }

  /** Who waits: only a user of the mock can. */
  get queue(): components['schemas']['QueuedPlayer'][] {
    const user = this.#user;
    if (this.#since === undefined || this.#wish === undefined || user === undefined) return [];
    const waitedMs = Date.now() - this.#since;
    const rating = this.#mock.ratings.of(user.userId)?.value ?? 1_500;
    return [{ ...seat(user), ...this.#wish, rating, window: windowAfter(waitedMs), waitedMs, away: false }];
  }

  #find({ boardSize, clock, rated }: Wish, send: Send): void {
    this.leave();
    const { user, others, moderation } = this.#mock;
    const blocked = moderation.blockedBy(user.userId);
    const opponent = others.find(({ userId }) => !blocked.includes(userId));
    if (opponent === undefined) return;
    const size = BOARD_SIZES.find((each) => each === boardSize) ?? 3;
    const game = this.#mock.createQuick([seat(user), seat(opponent)], size, { clock, rated });
    send('playerFound', {
      gameId: game.gameId,
      opponent: { ...seat(opponent), level: 1, ...this.#mock.ratings.beside(opponent.userId) },
      quickMatch: { boardSize: size, clock, rated },
      redirectInMs: OPENS_IN_MS,
    });
  }
}

function windowAfter(waitedMs: number): number {
  return WINDOW * (1 + Math.floor(waitedMs / WIDENS_EVERY_MS));
}
