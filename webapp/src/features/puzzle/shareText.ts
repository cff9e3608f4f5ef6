import type { Puzzle } from '@/engine';
import { puzzleNumber } from '@/shared/puzzle/days';
import type { PuzzleRecord } from '@/shared/puzzle/records';

/** What is shared of a solved puzzle: it gives nothing of the solution away. */
export function shareText(
  { day, size, plies }: Puzzle,
  { misses, hints }: PuzzleRecord,
  streak: number,
  origin: string,
): string {
  const tries = `${'✗'.repeat(Math.min(misses, 5))}${misses > 5 ? '…' : ''}✓`;
  return [
    `Morpion puzzle #${puzzleNumber(day)} · ${size}×${size}, win in ${movesToWin(plies)}`,
    [tries, hints === 0 ? 'no hints' : hints === 1 ? '1 hint' : `${hints} hints`, streakText(streak)]
      .filter(Boolean)
      .join(' · '),
    `${origin}/app/puzzle/${day}`,
  ].join('\n');
}

function streakText(streak: number): string {
  return streak > 1 ? `${streak} days in a row` : '';
}

/** One's own moves in so many plies. */
export function movesToWin(plies: number): number {
  return (plies + 1) / 2;
}
