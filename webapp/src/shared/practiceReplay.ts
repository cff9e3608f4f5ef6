/**
 * A game that no server keeps is stored only in the URL of its replay: for each round board size, starter, and one base-36
 * digit for each move, `row * size + col`, with dashes between rounds. `3X40` is 3×3, X in the middle, O in the corner.
 */

import type { Level } from '@/engine';
import { type Game, gameAfter, isBoardSize, type RowCol } from './rules';

const BASE = 36;

type Played = Pick<Game, 'size' | 'starter' | 'moves'>;

export function codeOf(rounds: readonly Played[]): string {
  const round = ({ size, starter, moves }: Played) =>
    `${size}${starter}${moves.map(([row, col]) => (row * size + col).toString(BASE)).join('')}`;
  return rounds.map(round).join('-');
}

/** The rounds of a code; null if it is invalid. */
export function gamesFromCode(code: string): Game[] | null {
  const games: Game[] = [];
  for (const text of code.split('-')) {
    const [, digit = '', starter, cells = ''] = /^(\d)([XO])([0-9a-z]*)$/.exec(text) ?? [];
    const size = Number(digit);
    if (!isBoardSize(size) || (starter !== 'X' && starter !== 'O')) return null;
    const moves = [...cells].map((each): RowCol => {
      const cell = parseInt(each, BASE);
      return [Math.floor(cell / size), cell % size];
    });
    const game = gameAfter(size, starter, moves);
    if (typeof game === 'string') return null;
    games.push(game);
  }
  return games;
}

/** The path of the replay of such a game, open to everybody. `level` is the AI's, who played O. */
export function practiceReplayPath(rounds: readonly Played[], level?: Level): string {
  return `/replay/moves/${codeOf(rounds)}${level === undefined ? '' : `?ai=${level}`}`;
}
