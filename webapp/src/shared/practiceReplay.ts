/**
 * A practice game is stored only in the URL of its replay: board size, starter, and one base-36 digit for each
 * move, `row * size + col`. `3X40` is 3×3, X in the middle, O in the corner.
 */

import type { Level } from '@/engine';
import { type Game, gameAfter, isBoardSize, type RowCol } from './rules';

const BASE = 36;

export function notationOf({ size, starter, moves }: Game): string {
  return `${size}${starter}${moves.map(([row, col]) => (row * size + col).toString(BASE)).join('')}`;
}

/** The game of a notation; null if it is invalid. */
export function gameFromNotation(text: string): Game | null {
  const [, digit = '', starter, cells = ''] = /^(\d)([XO])([0-9a-z]*)$/.exec(text) ?? [];
  const size = Number(digit);
  if (!isBoardSize(size) || (starter !== 'X' && starter !== 'O')) return null;
  const moves = [...cells].map((each): RowCol => {
    const cell = parseInt(each, BASE);
    return [Math.floor(cell / size), cell % size];
  });
  const game = gameAfter(size, starter, moves);
  return typeof game === 'string' ? null : game;
}

/** The path of a practice game's replay, open to everybody. `level` is the AI's, who played O. */
export function practiceReplayPath(game: Game, level?: Level): string {
  return `/replay/moves/${notationOf(game)}${level === undefined ? '' : `?ai=${level}`}`;
}
