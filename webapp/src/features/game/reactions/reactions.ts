/** Reactions: docs/behaviour/play.md#reactions. */

import type { ServerEvents } from '@/realtime/protocol';
import { browserSwitch } from '@/shared/browserSwitch';
import { STORAGE_KEYS } from '@/shared/storage';

export type Reaction = ServerEvents['reaction']['reaction'];

/** In words, in the order in which they are offered. */
export const REACTIONS: Record<Reaction, string> = {
  wellPlayed: 'Well played',
  goodLuck: 'Good luck',
  thanks: 'Thanks',
  wow: 'Wow',
  oops: 'Oops',
  thinking: 'Thinking',
};

/** The server accepts one in this time from a player, in milliseconds. */
export const REACTION_EVERY_MS = 3_000;

/** How long a reaction stays beside its player, in milliseconds. */
export const REACTION_SHOWN_MS = 4_000;

/** Whether this browser shows no reactions of others. */
export const reactionsMuted = browserSwitch(STORAGE_KEYS.reactionsMuted, false);

/** A newer server may know more. */
export function isReaction(word: string): word is Reaction {
  return Object.hasOwn(REACTIONS, word);
}
