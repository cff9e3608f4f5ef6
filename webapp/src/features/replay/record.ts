import type { components } from '@/api/schema';
import { isLevel } from '@/engine';
import { aiName } from '@/shared/levelNames';
import { nameOf } from '@/shared/people/personSummary';
import type { Met } from '@/shared/people/reportSlice';
import { inARow, reasonSentence } from '@/shared/play/endReason';
import { codeOf, gamesFromCode } from '@/shared/practiceReplay';
import { type NotedGame, type NotedRound, readNotation, resultOf, tagsOf, writeNotation } from '@/shared/notation';
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

/**
 * A game from its URL; null if the URL has none. `notation` is the text that was pasted for it, if any, which also says who
 * played.
 */
export function practiceRecord(code: string, level: string | null, notation?: string): GameRecord | null {
  const rounds = gamesFromCode(code);
  const last = rounds?.at(-1);
  if (rounds === null || last === undefined) return null;
  const noted = notation === undefined ? undefined : readNotation(notation);
  if (typeof noted === 'object' && codeOfNoted(noted) === code) return { ...bare(rounds), ...told(noted, last) };
  const names = { X: 'Player X', O: isLevel(level) ? aiName(level) : 'Player O' };
  const text = writeNotation({
    tags: [['X', names.X], ['O', names.O], ...tagsOf(rounds.map(notedRound), resultOf(last.winner, last.isDraw))],
    rounds: rounds.map(notedRound),
    result: resultOf(last.winner, last.isDraw),
  });
  return {
    ...bare(rounds),
    names,
    winner: last.winner,
    title: last.turn === null ? titleOf(last.winner, last.isDraw, names) : 'Not over yet',
    detail: last.winner === null ? '' : `${inARow(last.size)}.`,
    notation: text,
  };
}

/** The code of a game that was read. */
export function codeOfNoted({ rounds }: NotedGame): string {
  return codeOf(rounds.map(({ boardSize, starter, moves }) => ({ size: boardSize, starter, moves })));
}

function notedRound({ size, starter, moves }: Game): NotedRound {
  return { boardSize: size, starter, moves };
}

/** What no account and no server knows. */
function bare(rounds: readonly Game[]) {
  return { gameId: null, userIds: [], people: { X: undefined, O: undefined }, rounds, endedAt: null };
}

/** What a text says of its game. */
function told(noted: NotedGame, last: Game): Pick<GameRecord, 'names' | 'winner' | 'title' | 'detail' | 'notation'> {
  const values = new Map(noted.tags);
  const names = { X: values.get('X') ?? 'Player X', O: values.get('O') ?? 'Player O' };
  const winner = noted.result === '1-0' ? 'X' : noted.result === '0-1' ? 'O' : null;
  const line = last.winner === null ? '' : `${inARow(last.size)}.`;
  const where = [values.get('Event'), values.get('Date')].filter((text) => text !== undefined && text !== '?');
  return {
    names,
    winner,
    title: titleOf(winner, noted.result === '1/2-1/2', names),
    detail: [line, where.length === 0 ? '' : `${where.join(', ')}.`].filter(Boolean).join(' '),
    notation: writeNotation(noted),
  };
}

function playerOf({ players }: WireReplay, mark: Mark): Met | undefined {
  return players.find(({ symbol }) => symbol === mark);
}

/** The result in words, from a neutral view. */
function titleOf(winner: Mark | null, isDraw: boolean, names: GameRecord['names']): string {
  if (winner !== null) return `${names[winner]} Won!`;
  return isDraw ? "It's a Draw!" : 'The game is over';
}
