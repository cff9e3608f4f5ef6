/** Games that were finished before the mock server began. */

import { BOARD_SIZES } from '@/shared/rules';
import { MockGame, type Seat } from './mockGame';
import { choose } from './opponent';

const DAY_MS = 86_400_000;

/** Games of the first of these with the others: they are in histories and replays only. */
export function earlierGames(seats: Seat[]): MockGame[] {
  const [demo, ...others] = seats;
  if (demo === undefined) return [];
  return Array.from({ length: 28 }, (_, number) => {
    const other = others[number % Math.min(others.length, 4)] ?? demo;
    const pair = number % 2 === 0 ? [demo, other] : [other, demo];
    const size = BOARD_SIZES[number % 7 === 3 ? 2 : Math.floor(number / 3) % 2] ?? 3;
    const terms = [
      { clock: 'turn15' as const, rated: true },
      { clock: 'none' as const },
      { clock: '1+2' as const, rated: false },
    ][number % 3];
    const game = new MockGame(crypto.randomUUID(), pair, size, number % 4 < 2 ? 'X' : 'O', undefined, terms);
    const good = game.seats[number % 5 < 3 ? 0 : 1];
    playOut(game, (turn) => turn === good || number % 6 === 5);
    game.backdate(Date.now() - (number + 1) * 1.7 * DAY_MS);
    return game;
  });
}

/** Those who play well play as the mock's opponents do, and the others take the first free cell. */
export function playOut(game: MockGame, playsWell: (turn: Seat) => boolean): void {
  for (const { userId } of game.seats) game.enter(userId);
  while (game.turn !== undefined) {
    const { turn, position } = game;
    const first = position.board.flatMap((cells, row) =>
      cells.flatMap((cell, col) => (cell === '' ? [[row, col] as const] : [])),
    )[0];
    const place = playsWell(turn) ? choose(position) : first;
    if (place === undefined) return;
    game.move(turn.userId, ...place);
  }
}
