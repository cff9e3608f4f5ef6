import { type Game, type RowCol, play } from '@/shared/rules';

/** The mock opponent's move: one that wins, else one that prevents the other from winning, else the most central. */
export function choose(game: Game): RowCol | undefined {
  const middle = (game.size - 1) / 2;
  const distance = ([row, col]: RowCol) => Math.abs(row - middle) + Math.abs(col - middle);
  const places = emptyPlaces(game).sort((a, b) => distance(a) - distance(b));
  const wins = (side: Game, place: RowCol) => {
    const next = play(side, place);
    return typeof next !== 'string' && next.winner !== null;
  };
  const other: Game = { ...game, turn: game.turn === 'X' ? 'O' : 'X' };
  return places.find((place) => wins(game, place)) ?? places.find((place) => wins(other, place)) ?? places[0];
}

/** A random move as often as a good one. */
export function stumble(game: Game): RowCol | undefined {
  if (Math.random() < 0.5) return choose(game);
  const places = emptyPlaces(game);
  return places[Math.floor(Math.random() * places.length)];
}

function emptyPlaces({ board }: Game): RowCol[] {
  return board.flatMap((cells, row) => cells.flatMap((cell, col): RowCol[] => (cell === '' ? [[row, col]] : [])));
}
