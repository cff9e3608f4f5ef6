import { isLevel, type Level, lossShare, OVERSIGHT, REFERENCE_AI } from '@/engine';
import type { BoardSize } from '@/shared/rules';
import { readStored, STORAGE_KEYS, writeStored } from '@/shared/storage';

export const LEVEL_KEY = STORAGE_KEYS.aiLevel;
/** The default level, which never loses. */
export const DEFAULT_LEVEL: Level = 'perfect';

/** How strong a level is, as measured; if it lost no game, as defined. */
export function levelText(level: Level, size: BoardSize): string {
  if (level === 'perfect') return 'Gives nothing away, ever.';
  if (level === 'spec') return `Looks ${REFERENCE_AI.maxDepth[size]} moves ahead and guesses the rest.`;
  const [careful, perfect] = [lossShare(size, level, 'careful'), lossShare(size, level, 'perfect')];
  if (careful === 0 && perfect === 0) return `Slips at ${Math.round(OVERSIGHT[level].chance * 100)} in 100 chances.`;
  return `Loses ${odds(careful)} to careful play, ${odds(perfect)} to perfect play.`;
}

/** A share of games, 0 to 1, in words. */
export function odds(share: number): string {
  if (share < 0.01) return 'hardly a game';
  if (share > 0.95) return 'nearly every game';
  return share < 0.35 ? `about 1 game in ${Math.round(1 / share)}` : `about ${Math.round(share * 10)} games in 10`;
}

/** The level last played in this browser. */
export function storedLevel(): Level {
  const stored = readStored(LEVEL_KEY);
  return isLevel(stored) ? stored : DEFAULT_LEVEL;
}

export function storeLevel(level: Level): void {
  writeStored(LEVEL_KEY, level);
}
