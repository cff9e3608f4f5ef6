import { describe, expect, it } from 'vitest';
import { carl, liveGame, liveNow } from '@/testing/liveGames';
import { ada, bob } from '@/testing/server';
import { afterFrame, isSamePair, watchPath } from './liveNow';

const cellsOf = (list: ReturnType<typeof afterFrame>) => list.games.map(({ board }) => board.cells);

describe('a list of games to watch', () => {
  const first = afterFrame(null, liveNow([liveGame('a'), liveGame('b')], 7));

  it('has what the first frame tells', () => {
    expect(first.total).toBe(7);
    expect(first.games.map(({ game }) => game.gameId)).toEqual(['a', 'b']);
  });

  it('takes over new games, changed boards and the order; what is not named is gone', () => {
    const moved = liveGame('b', { version: 4, cells: '....X....' }).board;
    const next = afterFrame(first, { total: 2, order: ['c', 'b'], games: [liveGame('c')], boards: [moved] });
    expect(next.games.map(({ game }) => game.gameId)).toEqual(['c', 'b']);
    expect(cellsOf(next)).toEqual(['.........', '....X....']);
  });

  it('ignores boards that are older, or of games that it does not know', () => {
    const boards = [liveGame('a', { version: 2, cells: 'O........' }).board, liveGame('z').board];
    expect(cellsOf(afterFrame(first, { total: 2, order: ['a', 'z'], games: [], boards }))).toEqual(['.........']);
  });
});

it('leads players to their own game to play it, and others to watch', () => {
  const { game } = liveGame('a');
  expect(watchPath(game, ada.userId)).toBe('/app/game/a?watch=true');
  expect(watchPath(game, undefined)).toBe('/app/game/a?watch=true');
  expect(watchPath(game, carl.userId)).toBe('/app/game/a');
});

it('knows whether the same two play', () => {
  expect(isSamePair([bob, carl], [carl, bob])).toBe(true);
  expect(isSamePair([bob, carl], [bob, ada])).toBe(false);
  expect(isSamePair([bob], [bob, carl])).toBe(false);
});
