import { describe, expect, it } from 'vitest';
import { type Game, gameAfter, type RowCol } from '@/shared/rules';
import {
  extent,
  type Line,
  moveOf,
  type Playback,
  playbackAfter,
  playbackOf,
  playbackReducer,
  movesShown,
  shownGame,
} from './playback';

function gameOf(...moves: RowCol[]): Game {
  const game = gameAfter(3, 'X', moves);
  if (typeof game === 'string') throw new Error(game);
  return game;
}

// X takes the first row.
const game = gameOf([0, 0], [1, 1], [0, 1], [2, 2], [0, 2]);

function after(...events: Parameters<typeof playbackReducer>[1][]): Playback {
  return events.reduce(playbackReducer, playbackOf(game));
}

const proof: Omit<Line, 'at'> = {
  kind: 'proof',
  from: 4,
  moves: [
    [0, 2],
    [2, 0],
  ],
  worth: 1,
};

describe('the game', () => {
  it('is shown at its end', () => {
    expect(extent(playbackOf(game))).toEqual({ at: 5, length: 5 });
    expect(shownGame(playbackOf(game))).toEqual(game);
  });

  it('can be stepped and sought through, never beyond its ends', () => {
    expect(after({ type: 'stepped', by: -1 }).ply).toBe(4);
    expect(after({ type: 'stepped', by: 1 }).ply).toBe(5);
    expect(after({ type: 'sought', to: -3 }).ply).toBe(0);
    expect(after({ type: 'sought', to: 99 }).ply).toBe(5);
    expect(shownGame(after({ type: 'sought', to: 2 })).moves).toHaveLength(2);
  });

  it('plays from the current move, starts over from the end, and stops at the end', () => {
    expect(after({ type: 'toggled' })).toMatchObject({ ply: 0, isPlaying: true });
    let playback = after({ type: 'sought', to: 3 }, { type: 'toggled' });
    expect(playback).toMatchObject({ ply: 3, isPlaying: true });
    playback = playbackReducer(playback, { type: 'ticked' });
    expect(playback).toMatchObject({ ply: 4, isPlaying: true });
    playback = playbackReducer(playback, { type: 'ticked' });
    expect(playback).toMatchObject({ ply: 5, isPlaying: false });
    expect(playbackReducer(playback, { type: 'ticked' })).toBe(playback);
  });

  it('stops when the user navigates', () => {
    expect(after({ type: 'toggled' }, { type: 'stepped', by: 1 })).toMatchObject({ ply: 1, isPlaying: false });
    expect(after({ type: 'toggled' }, { type: 'toggled' })).toMatchObject({ ply: 0, isPlaying: false });
  });
});

describe('a move that an address names', () => {
  const drawn = gameOf([0, 0], [0, 1], [2, 2], [1, 1], [2, 1], [2, 0], [0, 2], [1, 2], [1, 0]);
  const rounds = [drawn, game] as const;

  it.each([
    ['0', drawn, 0],
    ['4', drawn, 4],
    ['9', drawn, 9],
    ['10', game, 1],
    ['14', game, 5],
    ['15', game, 5],
    ['9'.repeat(400), game, 5],
    ['-1', drawn, 0],
    ['', game, 5],
    ['1.5', game, 5],
    ['two', game, 5],
    [null, game, 5],
  ])('is counted through the rounds: %s', (move, round, ply) => {
    expect(playbackAfter(rounds, move)).toEqual({ ...playbackOf(round), ply });
  });

  it('is the one on the board, or the one before an open line; none at the end', () => {
    expect([0, 4, 9, 10, 13].map((move) => moveOf(rounds, playbackAfter(rounds, String(move))))).toEqual([
      0, 4, 9, 10, 13,
    ]);
    expect(moveOf(rounds, playbackOf(game))).toBeNull();
    const opened = playbackReducer(playbackAfter(rounds, '11'), { type: 'tried', place: [2, 0] });
    expect(moveOf(rounds, opened)).toBe(11);
  });
});

describe('a line', () => {
  it('is played after the moves it follows, and is left to the previous position', () => {
    const opened = after({ type: 'sought', to: 4 }, { type: 'lineOpened', line: { ...proof, from: 4 } });
    expect(opened.isPlaying).toBe(true);
    expect(extent(opened)).toEqual({ at: 0, length: 2 });
    const on = playbackReducer(opened, { type: 'ticked' });
    expect(movesShown(on)).toEqual([...game.moves.slice(0, 4), [0, 2]]);
    expect(playbackReducer(on, { type: 'lineClosed' })).toMatchObject({ ply: 4, line: null, isPlaying: false });
    expect(playbackReducer(on, { type: 'wentTo', ply: 2 })).toMatchObject({ ply: 2, line: null });
  });

  it('of the user begins with the tried move, and continues with the reply to that move only', () => {
    const tried = after({ type: 'sought', to: 2 }, { type: 'tried', place: [2, 0] });
    const line = tried.line!;
    expect(line).toMatchObject({ kind: 'own', from: 2, moves: [[2, 0]], at: 1, worth: undefined });
    const answered = playbackReducer(tried, { type: 'answered', line, moves: [[0, 2]], worth: 0 });
    expect(answered).toMatchObject({ isPlaying: true, line: { at: 1, worth: 0 } });
    expect(answered.line!.moves).toHaveLength(2);
    const other = playbackReducer(answered, { type: 'tried', place: [1, 0] });
    expect(other.line).toMatchObject({
      moves: [
        [2, 0],
        [1, 0],
      ],
      at: 2,
      worth: undefined,
    });
    expect(playbackReducer(other, { type: 'answered', line, moves: [[0, 2]], worth: 0 })).toBe(other);
  });

  it('becomes the user’s own where they play another move', () => {
    const left = after({ type: 'lineOpened', line: proof }, { type: 'ticked' }, { type: 'stepped', by: -1 });
    expect(playbackReducer(left, { type: 'tried', place: [1, 0] }).line).toMatchObject({
      kind: 'own',
      from: 4,
      moves: [[1, 0]],
    });
  });

  it('refuses an impossible move', () => {
    const at2 = after({ type: 'sought', to: 2 });
    expect(playbackReducer(at2, { type: 'tried', place: [0, 0] })).toBe(at2);
    const end = playbackOf(game);
    expect(playbackReducer(end, { type: 'tried', place: [2, 0] })).toBe(end);
  });
});
