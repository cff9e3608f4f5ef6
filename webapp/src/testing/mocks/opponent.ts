import { type Game, type Place, play } from '@/shared/rules';

/** The mock opponent's move: one that wins, else one that keeps the other from winning, else the most central. */
export function choose(game: Game): Place | undefined {
  const middle = (game.size - 1) / 2;
  const distance = ([row, col]: Place) => Math.abs(row - middle) + Math.abs(col - middle);
  const places = game.board
    .flatMap((cells, row) => cells.flatMap((cell, col): Place[] => (cell === '' ? [[row, col]] : [])))
    .sort((a, b) => distance(a) - distance(b));
  const wins = (side: Game, place: Place) => {
    const next = play(side, place);
    return typeof next !== 'string' && next.winner !== null;
  };
  const other: Game = { ...game, turn: game.turn === 'X' ? 'O' : 'X' };
  return places.find((place) => wins(game, place)) ?? places.find((place) => wins(other, place)) ?? places[0];
}
