import type { Game, Place } from '@/shared/rules';

/** The place as the board takes it. */
export function placeOf(place: Place | undefined): { row: number; col: number } | null {
  return place === undefined ? null : { row: place[0], col: place[1] };
}

/** A cell in words, counted from 1. */
export function placeText([row, col]: Place): string {
  return `row ${row + 1}, column ${col + 1}`;
}

/** The last move in words, for screen readers; empty before the first. */
export function lastMoveText({ moves, board }: Game): string {
  const last = moves.at(-1);
  return last === undefined ? '' : `${board[last[0]]?.[last[1]]} played ${placeText(last)}.`;
}
