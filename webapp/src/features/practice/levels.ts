import { isLevel, type Level, OVERSIGHT, SPEC_AI } from '@/engine';
import type { BoardSize } from '@/shared/rules';
import { readStored, writeStored } from '@/shared/storage';

export const LEVEL_KEY = 'morpion_ai_level';
/** The spec's practice AI is unbeatable. */
export const DEFAULT_LEVEL: Level = 'perfect';

export const LEVEL_NAMES: Record<Level, string> = {
  easy: 'Easy',
  medium: 'Medium',
  hard: 'Hard',
  perfect: 'Perfect',
  spec: 'Sparring partner',
};

/** Who plays O at this level. */
export function opponentName(level: Level): string {
  return level === 'spec' ? LEVEL_NAMES.spec : `${LEVEL_NAMES[level]} AI`;
}

/** What a level does, from the numbers it plays by. */
export function levelText(level: Level, size: BoardSize): string {
  if (level === 'perfect') return 'Gives nothing away, ever.';
  if (level === 'spec') return `Looks ${SPEC_AI.maxDepth[size]} moves ahead and guesses the rest.`;
  const { chance, sees } = OVERSIGHT[level];
  const ahead = sees === 1 ? 'a move that wins at once' : `${sees} moves ahead`;
  return `Slips at ${Math.round(chance * 100)} in 100 chances, always sees ${ahead}.`;
}

/** The level played last in this browser. */
export function storedLevel(): Level {
  const stored = readStored(LEVEL_KEY);
  return isLevel(stored) ? stored : DEFAULT_LEVEL;
}

export function storeLevel(level: Level): void {
  writeStored(LEVEL_KEY, level);
}
