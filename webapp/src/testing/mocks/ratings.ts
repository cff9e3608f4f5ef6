/** Ratings: as on the server they move less the more games there are, but not by Glicko-2: docs/behaviour/ratings.md. */

import type { components } from '@/api/schema';
import type { MockGame } from './mockGame';

type Schemas = components['schemas'];

const NEWCOMER = { value: 1_500, deviation: 350 };
/** By this much a newcomer's first game changes the rating. */
const FIRST_CHANGE = 162;
/** Each game leaves this share of the deviation. */
const SHARE = 0.9;
const SMALLEST_DEVIATION = 60;
const RANKED_BELOW = 110;

interface Rated {
  value: number;
  games: number;
}

export class Ratings {
  readonly #rated = new Map<string, Rated>();
  readonly #curves = new Map<string, Schemas['RatingPoint'][]>();
  readonly #isRateable: (userId: string) => boolean;

  /** `isRateable` tells accounts from guests. */
  constructor(isRateable: (userId: string) => boolean) {
    this.#isRateable = isRateable;
  }

  /** Undefined for guests. */
  of(userId: string): Schemas['Rating'] | undefined {
    if (!this.#isRateable(userId)) return undefined;
    const { value, games } = this.#rated.get(userId) ?? { value: NEWCOMER.value, games: 0 };
    const deviation = deviationAfter(games);
    return { value, deviation: Math.round(deviation), provisional: deviation >= RANKED_BELOW, games };
  }

  /** As it stands beside a name. */
  beside(userId: string): { rating?: Schemas['PlayerRating'] } {
    const rating = this.of(userId);
    return rating === undefined ? {} : { rating: { value: rating.value, provisional: rating.provisional } };
  }

  /** An account as admins see it. */
  shown<User extends { userId: string }>(user: User): User & { rating?: Schemas['PlayerRating']; lastSeenAt: string } {
    return { ...user, ...this.beside(user.userId), lastSeenAt: new Date().toISOString() };
  }

  /** For tests and samples. */
  set(userId: string, rated: Rated): void {
    this.#rated.set(userId, rated);
  }

  /** After the last rated games of a user, the oldest first. */
  curve(userId: string): Schemas['RatingPoint'][] {
    return this.#curves.get(userId) ?? [];
  }

  /** A sample: a rating, and how it came about. */
  sample(userId: string, curve: Schemas['RatingPoint'][]): void {
    this.#curves.set(userId, curve);
    this.set(userId, { value: curve.at(-1)?.value ?? NEWCOMER.value, games: curve.length });
  }

  /** Everybody in the list, the best first. */
  get ranked(): string[] {
    const isRanked = (userId: string) => this.of(userId)?.provisional === false;
    const byValue = [...this.#rated].toSorted(([, a], [, b]) => b.value - a.value);
    return byValue.map(([userId]) => userId).filter(isRanked);
  }

  /** Counts a rated game that is over. */
  rate({ seats, winner }: MockGame): Schemas['RatingChange'][] {
    return seats.map(({ userId }) => {
      const { value: before, games } = this.#rated.get(userId) ?? { value: NEWCOMER.value, games: 0 };
      const points = winner === undefined ? 0 : winner.userId === userId ? 1 : -1;
      const after = before + Math.round((points * FIRST_CHANGE * deviationAfter(games)) / NEWCOMER.deviation);
      this.set(userId, { value: after, games: games + 1 });
      this.#curves.set(userId, [...this.curve(userId), { at: new Date().toISOString(), value: after }]);
      return { userId, before, after, provisional: deviationAfter(games + 1) >= RANKED_BELOW };
    });
  }
}

function deviationAfter(games: number): number {
  return Math.max(SMALLEST_DEVIATION, NEWCOMER.deviation * SHARE ** games);
}
