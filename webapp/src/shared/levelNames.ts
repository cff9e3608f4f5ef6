import type { Level } from '@/engine';

export const LEVEL_NAMES: Record<Level, string> = {
  easy: 'Easy',
  medium: 'Medium',
  hard: 'Hard',
  perfect: 'Perfect',
  spec: 'Sparring partner',
};

/** The name of the AI at this level. */
export function aiName(level: Level): string {
  return level === 'spec' ? LEVEL_NAMES.spec : `${LEVEL_NAMES[level]} AI`;
}
