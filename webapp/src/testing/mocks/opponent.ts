import { type Game, type Place, play } from '@/shared/rules';

/** The mock opponent's move: one that wins, else one that prevents the other from winning, else the most central. */
export function choose(game: Game): Place | undefined {
  const middle = (game.size - 1) / 2;
  const distance = ([row, col]: Place) => Math.abs(row - middle) + Math.abs(col - middle);
  const places = emptyPlaces(game).sort((a, b) => distance(a) - distance(b));
  const wins = (side: Game, place: Place) => {
    const next = play(side, place);
    return typeof next !== 'string' && next.winner !== null;
  };
  const other: Game = { ...game, turn: game.turn === 'X' ? 'O' : 'X' };
  return places.find((place) => wins(game, place)) ?? places.find((place) => wins(other, place)) ?? places[0];
}

/** A random move as often as a good one. */
export function stumble(game: Game): Place | undefined {
  if (Math.random() < 0.5) return choose(game);
  const places = emptyPlaces(game);
  return places[Math.floor(Math.random() * places.length)];
}

function emptyPlaces({ board }: Game): Place[] {
  return board.flatMap((cells, row) => cells.flatMap((cell, col): Place[] => (cell === '' ? [[row, col]] : [])));
}
