/** The measured strength of the levels: `npm run engine:levels` plays the games again and writes `measured.data.ts`. */

import type { Size } from './geometry.ts';
import { MEASURED_GAMES, MEASURED_LOSSES } from './measured.data.ts';

export { MEASURED_GAMES };

export type MeasuredLevel = 'easy' | 'medium' | 'hard';

/**
 * Whom a level was measured against, each moving first: `careful` completes a line or blocks one where it can and plays at
 * random otherwise, `perfect` never errs.
 */
export type MeasuredOpponent = 'careful' | 'perfect';

/** The share of games, 0 to 1, that a level loses; of `MEASURED_GAMES` games for each size, level and opponent. */
export function lossShare(size: Size, level: MeasuredLevel, opponent: MeasuredOpponent): number {
  return MEASURED_LOSSES[size][level][opponent] / MEASURED_GAMES;
}
