import type { components } from '@/api/schema';
import { isLevel } from '@/engine';
import { aiName } from '@/shared/levelNames';
import { nameOf, type PersonSummary } from '@/shared/people/personSummary';
import { gameFromNotation } from '@/shared/practiceReplay';
import { type Game, gameAfter, isBoardSize, type Mark, opposite, winLength } from '@/shared/rules';

type WireReplay = components['schemas']['Replay'];

/** A game to look at again, wherever it comes from. */
export interface GameRecord {
  /** The server's id; null for a game of practice, which it does not know. */
  gameId: string | null;
  /** The accounts that played; none in practice. */
  userIds: readonly string[];
  names: Readonly<Record<Mark, string>>;
  /** Who sat there; nobody known in practice. */
  people: Readonly<Record<Mark, PersonSummary | undefined>>;
  /** Each as it stood after its last move; empty where nobody moved. */
  rounds: readonly Game[];
  winner: Mark | null;
  title: string;
  detail: string;
  /** When it ended, in milliseconds; null in practice, whose addresses do not say. */
  endedAt: number | null;
}

/** A finished game of the server's; null if its moves break the rules, which no game of this server does. */
export function recordOf(replay: WireReplay): GameRecord | null {
  const rounds: Game[] = [];
  for (const { boardSize, starter, moves } of replay.rounds) {
    if (!isBoardSize(boardSize)) return null;
    const game = gameAfter(
      boardSize,
      starter,
      moves.map(({ row, col }) => [row, col] as const),
    );
    if (typeof game === 'string') return null;
    rounds.push(game);
  }
  const people = { X: playerOf(replay, 'X'), O: playerOf(replay, 'O') };
  const names = { X: people.X ? nameOf(people.X) : 'Player X', O: people.O ? nameOf(people.O) : 'Player O' };
  const winner = replay.winner ?? null;
  return {
    gameId: replay.gameId,
    userIds: replay.players.map(({ userId }) => userId),
    names,
    people,
    rounds,
    winner,
    title: titleOf(winner, replay.isDraw, names),
    detail: detailOf(replay, winner, names, rounds.at(-1)),
    endedAt: replay.endedAt === undefined ? null : Date.parse(replay.endedAt),
  };
}

/** A game of practice from its address; null where the address holds none. */
export function practiceRecord(notation: string, level: string | null): GameRecord | null {
  const game = gameFromNotation(notation);
  if (game === null) return null;
  const names = { X: 'Player X', O: isLevel(level) ? aiName(level) : 'Player O' };
  return {
    gameId: null,
    userIds: [],
    names,
    people: { X: undefined, O: undefined },
    rounds: [game],
    winner: game.winner,
    title: game.turn === null ? titleOf(game.winner, game.isDraw, names) : 'Not over yet',
    detail: game.winner === null ? '' : inARow(game),
    endedAt: null,
  };
}

function playerOf({ players }: WireReplay, mark: Mark): PersonSummary | undefined {
  return players.find(({ symbol }) => symbol === mark);
}

/** How it ended, in words for everybody. */
function titleOf(winner: Mark | null, isDraw: boolean, names: GameRecord['names']): string {
  if (winner !== null) return `${names[winner]} Won!`;
  return isDraw ? "It's a Draw!" : 'The game is over';
}

function inARow({ size }: Game): string {
  return `${winLength(size) === 3 ? 'Three' : 'Four'} in a row.`;
}

function detailOf(
  { reason }: WireReplay,
  winner: Mark | null,
  names: GameRecord['names'],
  last: Game | undefined,
): string {
  const loser = winner === null ? 'Nobody' : names[opposite(winner)];
  switch (reason) {
    case 'line':
      return last === undefined ? '' : inARow(last);
    case 'forfeit':
      return `${loser} forfeited.`;
    case 'timeout':
      return `${loser} ran out of time.`;
    case 'noShow':
      return `${loser} did not come.`;
    case 'disconnect':
      return `${loser} was away for too long.`;
    case 'time':
      return 'Decided for whoever used less time.';
    case 'adjudicated':
      return 'Decided by the organisers.';
    case 'void':
      return 'It counts for nobody.';
    default:
      return '';
  }
}
