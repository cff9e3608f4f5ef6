import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BOARD_SIZES, type BoardSize, gameAfter, type Mark, newGame, type RowCol, play, takenBack } from '.';
import { isBoardSize, winLength, winningLines } from './lines';

/** The cases that the server's rules are tested with too, so that both apply the same rules. */
function vectors<T>(name: string): T[] {
  return JSON.parse(readFileSync(resolve('../appliance/rules/vectors', name), 'utf8')) as T[];
}

interface LinesCase {
  size: BoardSize;
  winLength: number;
  lines: number[][][];
}

interface GameCase {
  name: string;
  size: BoardSize;
  starter: Mark;
  moves: RowCol[];
  expect: {
    board: string[][];
    nextTurn: Mark | null;
    winner: Mark | null;
    winningLine: number[][] | null;
    isDraw: boolean;
    refusal: string | null;
    refusedAt: number | null;
  };
}

describe('lines', () => {
  const cases = vectors<LinesCase>('lines.json');

  it('accepts sizes 3 to 6 only', () => {
    expect(cases.map(({ size }) => size)).toEqual(BOARD_SIZES);
    expect([2, 7, 3.5, '3', null].some(isBoardSize)).toBe(false);
  });

  it.each(cases)('$size × $size: $winLength in a row win', ({ size, winLength: length, lines }) => {
    expect(winLength(size)).toBe(length);
    expect(winningLines(size)).toEqual(lines);
  });
});

describe('games', () => {
  it.each(vectors<GameCase>('games.json'))('$size × $size: $name', ({ size, starter, moves, expect: expected }) => {
    let game = newGame(size, starter);
    let refusal: string | null = null;
    let refusedAt: number | null = null;
    for (const [at, move] of moves.entries()) {
      const next = play(game, move);
      if (typeof next === 'string') {
        refusal = next;
        refusedAt = at;
        break;
      }
      game = next;
    }
    expect({
      board: game.board,
      nextTurn: game.turn,
      winner: game.winner,
      winningLine: game.winningLine,
      isDraw: game.isDraw,
      refusal,
      refusedAt,
    }).toEqual(expected);
  });

  it('takes moves back, at most to the start', () => {
    const moves: RowCol[] = [
      [0, 0],
      [1, 1],
      [0, 1],
      [2, 2],
      [0, 2],
    ];
    const won = gameAfter(3, 'X', moves);
    if (typeof won === 'string') throw new Error(won);
    expect(won.winner).toBe('X');
    expect(takenBack(won, 1)).toEqual(gameAfter(3, 'X', moves.slice(0, 4)));
    expect(takenBack(won, 9)).toEqual(newGame(3));
  });

  it('refuses an impossible list of moves', () => {
    expect(
      gameAfter(3, 'O', [
        [0, 0],
        [0, 0],
      ]),
    ).toBe('cell-taken');
  });
});
