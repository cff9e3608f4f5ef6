/** Reactions: docs/behaviour/play.md#reactions. */

import type { ServerEvents } from '@/realtime/protocol';
import type { MockGame } from './mockGame';
import { conflict, Refusal } from './refusal';

export type Reaction = ServerEvents['reaction']['reaction'];

const EVERY_MS = 3_000;
/** After the end of a game, in milliseconds. */
const AFTER_END_MS = 60_000;

/** When each player of a game reacted last. */
const last = new WeakMap<MockGame, Map<string, number>>();

/** Counts a reaction, or refuses it. */
export function admitReaction(game: MockGame, userId: string): void {
  game.seatOf(userId);
  if (game.status === 'waiting') throw conflict('game-not-started', 'The game has not started yet.');
  const isLongOver = game.endedAt !== undefined && Date.now() - Date.parse(game.endedAt) > AFTER_END_MS;
  if (game.status === 'cancelled' || isLongOver) throw conflict('game-over', 'The game is over.');
  const times = last.get(game) ?? new Map<string, number>();
  const before = times.get(userId);
  if (before !== undefined && Date.now() - before < EVERY_MS) {
    throw new Refusal(429, 'too-many-reactions', 'Please wait a moment before you react again.');
  }
  last.set(game, times.set(userId, Date.now()));
}

/** What a mock opponent answers, if anything. */
export function answerTo(reaction: Reaction): Reaction | undefined {
  return reaction === 'goodLuck' || reaction === 'wellPlayed' ? 'thanks' : undefined;
}
