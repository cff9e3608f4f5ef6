import { describe, expect, it } from 'vitest';
import { geometry, SIZES } from './geometry.ts';
import {
  contentOf,
  emptyCells,
  emptyPosition,
  InvalidPosition,
  isOver,
  play,
  positionAfter,
  positionFromCells,
  rowCol,
  winner,
  winningLines,
} from './position.ts';

const cells = (text: string): string[] => text.split('');

describe('a position', () => {
  it('is read from cells, with dots or empty strings', () => {
    const position = positionFromCells(3, ['X', '', '.', '', 'O', '', '', '', ''], 'X');
    expect(contentOf(position, 0)).toBe('X');
    expect(contentOf(position, 4)).toBe('O');
    expect(emptyCells(position)).toEqual([1, 2, 3, 5, 6, 7, 8]);
    expect(rowCol(3, 5)).toEqual([1, 2]);
  });

  it.each([
    ['too few cells', 'X.......', 'O', 'must have 9 cells'],
    ['too many cells', 'X.........', 'O', 'must have 9 cells'],
    ['another mark', 'x........', 'O', 'a cell is'],
    ['counts no game reaches', 'XX.......', 'O', 'no game reaches 2 X and 0 O'],
    ['counts no game reaches, the other way', 'OOO.X....', 'X', 'no game reaches'],
    ['the wrong turn', 'X........', 'X', "not X's turn"],
    ['the wrong turn when O started', 'O........', 'O', "not O's turn"],
    ['a won game', 'XXXOO....', 'O', 'the game is over'],
    ['a full board', 'XOXXOOOXX', 'O', 'the game is over'],
  ] as const)('is refused with %s', (_, board, turn, message) => {
    expect(() => positionFromCells(3, cells(board), turn)).toThrow(InvalidPosition);
    expect(() => positionFromCells(3, cells(board), turn)).toThrow(message);
  });

  it('accepts either side as the starter', () => {
    expect(positionFromCells(3, cells('.........'), 'O').turn).toBe('O');
    expect(positionFromCells(3, cells('O........'), 'X').turn).toBe('X');
  });

  it('plays alternating moves and refuses impossible ones', () => {
    const position = positionAfter(4, [0, 5, 1]);
    expect(position.turn).toBe('O');
    expect(() => play(position, 0)).toThrow('that cell is taken');
    expect(() => play(position, 16)).toThrow('no such cell');
    expect(() => play(position, 1.5)).toThrow('no such cell');
    expect(() => positionAfter(3, [0, 3, 1, 4, 2, 5])).toThrow('the game is over');
  });

  it.each(SIZES)('detects every line of size %i, for both marks', (size) => {
    for (const line of geometry(size).lines) {
      for (const mark of ['X', 'O'] as const) {
        // The other side's stones: not on the line, and too scattered to form one themselves.
        const others = emptyCells(emptyPosition(size)).filter((cell) => !line.includes(cell));
        const spread = others.filter((_, i) => i % 3 === 0).slice(0, line.length - 1);
        const moves = line.flatMap((cell, i) => (i < spread.length ? [cell, spread[i]!] : [cell]));
        const position = positionAfter(size, moves, mark);
        expect(winner(position)).toBe(mark);
        expect(isOver(position)).toBe(true);
        expect(winningLines(position)).toEqual([line]);
      }
    }
  });

  it('detects a draw', () => {
    const position = positionAfter(3, [0, 1, 2, 4, 3, 5, 7, 6, 8]);
    expect(isOver(position)).toBe(true);
    expect(winner(position)).toBeNull();
    expect(winningLines(position)).toEqual([]);
  });
});
