import { cellText, type Game, type RowCol } from '@/shared/rules';

/** A cell as the board component takes it. */
export function toBoardCell(place: RowCol | undefined): { row: number; col: number } | null {
  return place === undefined ? null : { row: place[0], col: place[1] };
}

/** The last move in words, for screen readers; empty before the first. */
export function lastMoveText({ moves, board }: Game): string {
  const last = moves.at(-1);
  return last === undefined ? '' : `${board[last[0]]?.[last[1]]} played ${cellText(last)}.`;
}
