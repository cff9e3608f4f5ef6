import type { components } from '@/api/schema';
import { nameOf } from '@/shared/people/personSummary';
import type { Met } from '@/shared/people/reportSlice';
import { reasonSentence } from '@/shared/play/endReason';
import { type Game, gameAfter, isBoardSize, type Mark, opposite } from '@/shared/rules';

type Schemas = components['schemas'];
type WireReplay = Schemas['Replay'];

/** A recorded game, from the server or from practice. */
export interface GameRecord {
  /** The server's id; null for practice games. */
  gameId: string | null;
  /** The accounts that played; none in practice. */
  userIds: readonly string[];
  names: Readonly<Record<Mark, string>>;
  /** The players by mark; null in practice. */
  people: Readonly<Record<Mark, Met | undefined>>;
  /** The rounds at their end; empty if no move was made. */
  rounds: readonly Game[];
  winner: Mark | null;
  title: string;
  detail: string;
  /** When it ended, in Unix milliseconds; null in practice. */
  endedAt: number | null;
  /** The game as text. */
  notation: string;
}

/** A finished game from the server; null if its moves are invalid, which should not happen. */
export function recordOf({ replay, notation }: Schemas['ReplayAnswer']): GameRecord | null {
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
    detail: reasonSentence(
      { reason: replay.reason, decision: replay.decision, boardSize: replay.rounds.at(-1)?.boardSize ?? 3 },
      winner === null ? 'Nobody' : names[opposite(winner)],
    ),
    endedAt: replay.endedAt === undefined ? null : Date.parse(replay.endedAt),
    notation,
  };
}

function playerOf({ players }: WireReplay, mark: Mark): Met | undefined {
  return players.find(({ symbol }) => symbol === mark);
}

/** The result in words, from a neutral view. */
export function titleOf(winner: Mark | null, isDraw: boolean, names: GameRecord['names']): string {
  if (winner !== null) return `${names[winner]} Won!`;
  return isDraw ? "It's a Draw!" : 'The game is over';
}
